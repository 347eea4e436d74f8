"""Words of one meaning, and verbs in nouns, as data for ``short_forms``: classes, and pairs ``noun verb``."""

from __future__ import annotations

# Words of one meaning. Where one is narrower than the other ("murder", "kill") the pair stands among the phrases.
CLASSES = """
    consecutive successive straight / numerous many / cease stop halt / supply furnish / grant award / accomplish
    achieve attain / construct build / eliminate remove / relocate move / depart leave / encounter meet / ascertain
    determine establish / resolve settle / rectify correct fix / augment increase / diminish reduce decrease lessen /
    expedite hasten speed / hinder hamper impede / hinder obstruct / prevent stop / discontinue stop end / preserve
    keep / conserve save / relinquish surrender / encompass include cover / incorporate include / signify mean /
    denote mean / illustrate show / depict show / exhibit show display / transmit send / notify inform tell / enquire
    ask / inquire ask / endeavour try / endeavor try / strive try / intend aim / opt choose / generate produce create
    / originate begin / initiate start begin launch / launch start / inaugurate open / establish create / introduce
    launch / conclude close / finalise complete finish / finalize complete finish / fulfil meet / fulfill meet /
    satisfy meet / comply obey / endorse back support / advocate urge / authorise allow approve / authorize allow
    approve / dispute contest challenge / rebuke reprimand / praise commend laud / apprehend arrest / incarcerate jail
    imprison / collide crash / ignite light / quench extinguish / plunge plummet tumble slump / soar surge jump /
    swell grow / expand grow / dwindle shrink / vanish disappear / emerge appear / arise occur / ensue follow /
    persist continue / resume restart / accelerate quicken / ascend climb rise / desert abandon / pursue chase /
    retrieve recover / regain recover / reclaim recover / renovate refurbish / rebuild reconstruct / service maintain
    / scrutinise examine / scrutinize examine / investigate probe / analyse study / analyze study / research study /
    assess evaluate / appraise assess / calculate compute / separate divide / divide split / separate split / combine
    merge / unite join / connect link / link join / attach fasten / append add / place put / position place / install
    fit / elevate raise / hoist raise / drag pull / haul pull / tow pull / shove push / hurl fling throw / toss throw
    / grasp grip / clutch grip / confiscate seize impound / pilfer steal / consume eat / devour eat / consume use /
    expend spend / reimburse repay / bestow give / allocate assign allot / acquire gain / procure obtain get /
    accumulate gather amass / compile gather / engage hire / enrol register / enroll register / educate teach /
    oversee supervise / monitor watch / monitor track / govern rule / defend protect / shield protect / safeguard
    protect / assail attack / vanquish defeat / compete vie / converse talk / utter say / remark say / comment say /
    assert claim / allege claim / contend claim / divulge reveal / unveil reveal / expose reveal / conceal hide /
    forecast predict foresee / recollect remember / comprehend understand grasp / suppose presume / deem consider /
    contemplate consider / detest hate loathe / annoy irritate / delight please / frighten scare / astonish amaze /
    baffle puzzle / soothe calm / tolerate bear endure / sizeable sizable large / thin slim / broad wide / brief short
    / lengthy long / prolonged long / ancient old / new recent / youthful young / clever smart intelligent / stupid
    foolish / brave courageous / courteous polite / rude impolite / honest truthful / happy glad pleased / sad unhappy
    / weary tired / feeble weak / frail weak / complicated complex / tough hard difficult / straightforward simple /
    evident clear obvious / notable remarkable / eminent famous illustrious / well-known famous / uncommon rare /
    scarce rare / customary usual typical / precise exact / correct accurate / erroneous wrong mistaken / bogus fake /
    toxic poisonous / perilous dangerous / fatal deadly lethal / grave serious / costly expensive / inexpensive cheap
    / affluent rich wealthy / profitable lucrative / upcoming coming / forthcoming coming upcoming / adjacent
    neighbouring / nearby close / distant remote / ample enough / abundant plentiful / further additional / further
    more / total complete / overseas foreign / damp moist / freezing icy / vacant unoccupied / voluntary optional /
    mandatory compulsory obligatory required / requisite necessary required / needed necessary / prohibited forbidden
    banned / illegal unlawful / lawful legal / genuine real authentic / interim temporary / constant continual /
    sudden abrupt / prompt quick / gradual slow / suitable appropriate / eager keen / liable responsible / capable
    able / nowadays today now / recently lately / thereafter afterwards / subsequently afterwards later then /
    afterward afterwards later / previously earlier before / abruptly suddenly / eventually finally ultimately /
    constantly continually / commonly often / entirely wholly completely fully totally / predominantly mainly mostly /
    principally mainly chiefly primarily / precisely exactly / considerably much / substantially much / probably
    likely / perhaps maybe possibly / verbally orally / undoubtedly certainly / nonetheless nevertheless / thus so
    therefore hence / consequently so therefore / matter issue / mishap accident / incident event / catastrophe
    disaster / blast explosion / ailment illness / sickness illness / tablet pill / vaccine jab / dwelling home house
    / residence house / edifice building / movie film / email e-mail / agreement deal accord pact / statute law /
    regulation rule / judgment ruling / judgement ruling / lawsuit suit / prison jail / firearm gun / foe enemy /
    proprietor owner / customer client / vendor seller / colleague coworker / labourer worker / corporation company /
    enterprise company / earnings income / turnover sales / merchandise goods / device gadget / implement tool /
    equipment gear / aeroplane plane / airplane plane / bike bicycle / motorbike motorcycle / railroad railway /
    highway motorway / harbour port / harbor port / journey trip / voyage trip / location place site / spot place /
    venue place / zone area / district area / neighbourhood area / neighborhood area / boulder rock / sum amount /
    quantity amount / proportion share / portion share part / component part / segment part / remainder rest / stage
    phase / era age / dawn daybreak / noon midday / commencement start beginning / outset start beginning / completion
    end / termination end / outcome result / consequence result / impact effect / influence effect / cause reason /
    target goal / programme program / technique method / procedure process / manner way / type kind sort / category
    kind / edition version / specimen sample / instance example / guidance advice / opinion view / viewpoint view /
    concept idea notion / findings results / statistics figures / information data / capability ability / task job /
    profession occupation / role part / function purpose / benefit advantage / drawback disadvantage / consent
    permission / prohibition ban / limitation limit / boundary border / obstacle barrier / pause break / rally
    demonstration / revolt uprising rebellion / row dispute argument / conversation talk / gathering meeting / contest
    competition / victory win / triumph victory / prize award / gift present / funding finance / relief aid / backing
    support / allow let / ill sick / timetable schedule / rubbish garbage / staff workers employees / mum mother / dad
    father / kids children / cheque check / ill-advised unwise / centre middle / clothing clothes / attire clothes /
    inhabitants residents / folks people / purchaser buyer / lessee tenant / lessor landlord / infant baby /
    adolescent teenager / beverage drink / luggage baggage / sofa couch / tap faucet / pavement sidewalk / rubbish
    trash / biscuit cookie / trousers pants / reporter journalist / cemetery graveyard / pupil student / quarrel
    argument / doorway entrance / entry entrance / spectacles glasses / cutlery silverware / wage pay / salary pay /
    leaflet brochure / handbook manual / delete erase / vital essential crucial / furious irate / photo photograph /
    strange peculiar bizarre weird / immediately instantly / huge enormous gigantic immense massive / additional extra
    / discard scrap
"""

# Verbs in nouns, beyond those that a rule finds ("a description" hides "describe").
NOUNS = """
    effect affect / impact affect / summary summarise / summary summarize / advice advise / analysis analyse / apology
    apologise / opposition oppose / belief believe / proof prove / loss lose / death die / life live / flight fly /
    thought think / knowledge know / choice choose / growth grow / theft steal / sight see / response respond /
    defence defend / defense defend / offence offend / offense offend / pursuit pursue / success succeed / failure
    fail / departure depart / closure close / exposure expose / disclosure disclose / seizure seize / signature sign /
    mixture mix / purchase buy / criticism criticise / criticism criticize / emphasis emphasise / emphasis emphasize /
    hypothesis hypothesise / synthesis synthesise / diagnosis diagnose / paralysis paralyse / overview outline /
    outline outline / praise praise / support support / help help / aid aid / blame blame / trust trust / respect
    respect / love love / hate hate / hatred hate / dislike dislike / fear fear / hope hope / wish wish / desire
    desire / need need / want want / doubt doubt / worry worry / regret regret / concern concern / interest interest /
    influence influence / harm harm / damage damage / hurt hurt / attack attack / assault assault / raid raid / fight
    fight / strike strike / kick kick / punch punch / push push / pull pull / touch touch / kiss kiss / hug hug /
    smile smile / laugh laugh / laughter laugh / sigh sigh / shout shout / scream scream / cry cry / whisper whisper /
    talk talk / chat chat / joke joke / lie lie / toast toast / try try / taste taste / smell smell / bite bite /
    drink drink / sip sip / rest rest / sleep sleep / nap nap / bath bathe / wash wash / shower shower / shave shave /
    ride ride / run run / swim swim / drive drive / jump jump / climb climb / dive dive / dance dance / tour tour /
    trip travel / journey travel / race race / move move / turn turn / stop stop / pause pause / break break / delay
    delay / finish finish / end end / increase increase / decrease decrease / rise rise / fall fall / drop drop / gain
    gain / limit limit / ban ban / control control / command command / tax tax / bet bet / trade trade / profit profit
    / benefit benefit / compromise compromise / pledge pledge / vow vow / oath swear / threat threaten / challenge
    challenge / debate debate / question question / query query / note note / signal signal / photograph photograph /
    recording record / painting paint / drawing draw / building build / finding find / reading read / writing write /
    ruling rule / hearing hear / showing show / training train / planning plan / packing pack / washing wash / scan
    scan / inquiry inquire / inquiry ask / enquiry ask / entry enter / injury injure / robbery rob / discovery
    discover / delivery deliver / recovery recover / assembly assemble / remedy remedy / rescue rescue / return return
    / transfer transfer / transport transport / import import / export export / upgrade upgrade / update update /
    download download / design design / sample sample / weight weigh / interview interview / research research /
    experiment experiment / process process / publication publish / pronunciation pronounce / explanation explain /
    destruction destroy / reception receive / deception deceive / perception perceive / conception conceive /
    description describe / prescription prescribe / subscription subscribe / inscription inscribe / consumption
    consume / assumption assume / presumption presume / resumption resume / absorption absorb / solution solve /
    resolution resolve / evolution evolve / decision decide / division divide / collision collide / explosion explode
    / erosion erode / persuasion persuade / invasion invade / conclusion conclude / inclusion include / exclusion
    exclude / intrusion intrude / extension extend / expansion expand / suspension suspend / comprehension comprehend
    / pretension pretend / permission permit / omission omit / submission submit / commission commission /
    transmission transmit / emission emit / application apply / implication imply / multiplication multiply /
    notification notify / identification identify / verification verify / classification classify / clarification
    clarify / modification modify / qualification qualify / justification justify / specification specify /
    ratification ratify / supply supply / reply reply
"""
