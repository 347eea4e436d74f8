// Pumps of the depot
import { read } from './read.js';

export class Pump {
  constructor(name, bar = 3.0) { this.name = name; this.bar = bar; }

  get low() {
    return this.bar < 2.4; // not below the limit
  }
}

const names = (pumps) => pumps.filter((p) => !p.low).map((p) => `${p.name}: ${p.bar}`);

function stop(pump) {
  if (pump.low) {
    throw new Error("too low");
  }
  return /ba[r}]/.test(pump.name);
}
