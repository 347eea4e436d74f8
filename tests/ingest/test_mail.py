from __future__ import annotations

from email.message import EmailMessage

import pytest

from gliding.errors import InputError
from gliding.ingest.html import html_to_markdown
from gliding.ingest.mail import FOOTER, NEWEST, OLDER, read_mail
from gliding.ingest.quotes import split_body


def read(data):
    return read_mail(data, html=lambda page: html_to_markdown(page).text)


def made(body: str, **headers: str) -> EmailMessage:
    message = EmailMessage()
    for key, value in headers.items():
        message[key] = value
    message.set_content(body)
    return message


THREAD = """\
Ja, passt.

Am 03.03.2026 um 09:10 schrieb Ruth Amadi:
> Gilt das?
> On Mon, Mar 2, 2026 at 8:01 AM, Igor Petrenko
> wrote:
>> Yes or no?
>> --
>> Igor
Inline answer.
-----Original Message-----
From: Pavel Novak
Sent: Monday, 1 March 2026 10:00
To: Ruth
Subject: Permit

Old text here.
在 2026年3月1日 10:00，李雷 写道：
> 采购预算

Le lun. 2 mars 2026 à 08:00, Jean Petit a écrit :
> Bonjour
This message is confidential and privileged.
"""


def test_a_thread_in_the_order_of_its_text():
    parts = [(part.kind, part.sender, part.time, part.text) for part in split_body(THREAD)]
    assert parts == [
        ("new", "", "", "Ja, passt."),
        ("quoted", "Ruth Amadi", "03.03.2026 um 09:10", "Gilt das?"),
        ("quoted", "Igor Petrenko", "Mon, Mar 2, 2026 at 8:01 AM", "Yes or no?"),
        ("footer", "", "", "Igor"),
        ("new", "", "", "Inline answer."),
        (
            "quoted",
            "Pavel Novak",
            "Monday, 1 March 2026 10:00",
            "-----Original Message-----\nTo: Ruth\n\nOld text here.",
        ),
        ("quoted", "李雷", "2026年3月1日 10:00", "采购预算"),
        ("quoted", "Jean Petit", "lun. 2 mars 2026 à 08:00", "Bonjour"),
        ("footer", "", "", "This message is confidential and privileged."),
    ]


def test_no_line_is_lost():
    parts = split_body(THREAD)
    said = "\n".join("\n".join(part) for part in parts)
    carried = ("schrieb", "wrote:", "写道", "a écrit")
    for line in THREAD.splitlines():
        bare = line.lstrip("> ").strip()
        if bare.strip("-") and not any(word in bare for word in (*carried, "Mon, Mar 2")):
            assert bare.removeprefix("From: ").removeprefix("Sent: ").removeprefix("Subject: ") in said


def test_a_quote_of_nobody_keeps_its_marks():
    parts = split_body("New.\n> old one\n>> older\n>> still\n> old two\n")
    assert [part.text for part in parts] == ["New.", "> old one", ">> older\n>> still", "> old two"]


def test_an_address_in_an_attribution_stays():
    parts = split_body("Yes.\n\nOn 3 March 2026, Ruth <ruth@x.org> wrote:\n> Shall we?\n")
    assert (parts[1].sender, "ruth@x.org" in parts[1].text) == ("Ruth", True)


@pytest.mark.parametrize("line", ["On Monday he wrote a letter.", "From: here", "-- not a signature", "I wrote: yes"])
def test_prose_is_no_mark(line):
    assert [part.text for part in split_body(f"Before.\n{line}\nAfter.")] == [f"Before.\n{line}\nAfter."]


def test_headers_encodings_and_attachments():
    message = made("Größe: 5 €\n", From='"Müller, Jörg" <j@x.org>', To="Ruth <r@x.org>", Subject="Prüfung 中文")
    message["Date"] = "Tue, 03 Mar 2026 09:10:00 +0100"
    message.add_attachment(b"\x00\x01", maintype="application", subtype="pdf", filename="Plän.pdf")
    first, rest = read(message.as_bytes())
    assert (first.role, first.title, first.time) == ("Müller, Jörg", "Prüfung 中文", "2026-03-03 09:10+01:00")
    assert (first.text, first.criticality) == ("Größe: 5 €", NEWEST)
    assert rest.text.splitlines()[1:] == ["To: Ruth <r@x.org>", "Attachment: Plän.pdf (application/pdf)"]
    assert "<j@x.org>" in rest.text
    assert rest.criticality == OLDER


@pytest.mark.parametrize(
    ("charset", "cte"), [("utf-8", "base64"), ("iso-8859-1", "quoted-printable"), ("utf-8", "8bit")]
)
def test_transfer_encodings(charset, cte):
    message = EmailMessage()
    message["From"] = "a@x.org"
    message.set_content("Große Übersicht\n", charset=charset, cte=cte)
    assert read(message.as_bytes())[0].text == "Große Übersicht"


def test_html_parts():
    message = made("x", From="a@x.org")
    message.set_content("See the web version.")
    message.add_alternative(f"<p>Fare <b>68 NOK</b></p><p>{'Long. ' * 60}</p>", subtype="html")
    assert read(message.as_bytes())[0].text.startswith("Fare 68 NOK\n\nLong.")
    message = made("The same text in plain, long enough.", From="a@x.org")
    message.add_alternative("<p>The same text in plain, long enough.</p>", subtype="html")
    assert read(message.as_bytes())[0].text == "The same text in plain, long enough."


def test_a_decoded_mail_keeps_its_letters():
    raw = "From: Jörg\nSubject: Größe\nContent-Type: text/plain; charset=iso-8859-1\n\nÜbersicht 中\n"
    first = read(raw)[0]
    assert (first.role, first.title, first.text) == ("Jörg", "Größe", "Übersicht 中")


def test_signatures_weigh_least():
    first, last = read("From: Ruth\nSubject: x\n\nBody.\n-- \nRuth Amadi\nThis message is confidential.\n")
    assert (first.criticality, last.criticality) == (NEWEST, FOOTER)
    assert last.text == "Ruth Amadi\nThis message is confidential."


def test_hostile_mail_is_bounded():
    lines = ["From: a@x.org", "Subject: s"]
    for k in range(2_000):
        lines += [f'Content-Type: multipart/mixed; boundary="b{k}"', "", f"--b{k}"]
    with pytest.raises(InputError, match="deep"):
        read("\n".join(lines).encode())
    wide = "From: a@x.org\nContent-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 2_000 + "--b--\n"
    with pytest.raises(InputError, match="parts"):
        read(wide.encode())
    huge = "From: " + "a" * 500_000 + "\nSubject: =?utf-8?q?" + "=41" * 200_000 + "?=\n\nBody."
    assert read(huge.encode())[0].text == "Body."
    assert read(b"From: a\nDate: 99 Foo\nSubject: =?x-none?q?a?=\n\nB")[0].time == "99 Foo"
