// Sliders that order a share of the configured value of a gain, a filter or a limit, never more than all of it.

import { percent, title } from "./format.js";

// post orders a change and returns null, or what went wrong.
async function post(order, token) {
  const headers = { "Content-Type": "application/json", Authorization: "Bearer " + token };
  try {
    const answer = await fetch("tune", { method: "POST", headers, body: JSON.stringify(order), cache: "no-store" });
    return answer.ok ? null : (await answer.text()).trim();
  } catch {
    return "rig not reached";
  }
}

const idle = 1500;   // after a change a slider shows what the rig reports again [ms]
const spacing = 100; // between two orders; the rig takes 20 a second [ms]

const labels = {
  motion_filter: "Motion filter, 100 % is off", limit_travel: "Limit of the motion's travel",
  limit_speed: "Limit of the motion's speed", limit_accel: "Limit of the motion's acceleration",
};

const label = factor => labels[factor] ?? title(factor);

// Tuning is the panel of sliders.
export class Tuning {
  #panel;
  #note;
  #stream;
  #sliders = new Map(); // by factor: {row, input, output, touched}
  #waiting = new Map(); // by factor: the share to send
  #sending = false;

  constructor(panel, stream) {
    this.#panel = panel.querySelector(".sliders");
    this.#note = panel.querySelector("#tuning-note");
    this.#stream = stream;
  }

  // build makes a slider for each factor.
  build(factors) {
    this.#sliders.clear();
    this.#panel.replaceChildren(...factors.map(factor => this.#slider(factor)));
  }

  #slider(factor) {
    const row = document.createElement("label"), output = document.createElement("output"), input = document.createElement("input");
    row.className = "slider";
    row.hidden = true;
    Object.assign(input, { type: "range", min: 0, max: 100, step: 1, value: 100, disabled: true, name: factor });
    row.append(label(factor), output, input);
    const slider = { row, input, output, touched: -Infinity };
    input.addEventListener("input", () => {
      slider.touched = performance.now();
      output.textContent = percent(input.value / 100);
      this.#waiting.set(factor, input.value / 100);
      this.#send();
    });
    this.#sliders.set(factor, slider);
    return row;
  }

  // show shows the shares that the rig reports. A factor without one is hidden.
  show(shares) {
    for (const [factor, { row, input, output, touched }] of this.#sliders) {
      row.hidden = !(factor in shares);
      input.disabled = !this.#stream.token;
      if (row.hidden || performance.now() - touched < idle) continue;
      const value = String(Math.round(100 * shares[factor]));
      if (input.value !== value) input.value = value;
      output.textContent = percent(shares[factor]);
    }
    if (!this.#note.classList.contains("bad")) this.#note.hidden = Boolean(this.#stream.token);
  }

  // send sends the newest value of each slider, one after the other.
  async #send() {
    if (this.#sending) return;
    this.#sending = true;
    while (this.#waiting.size > 0) {
      const [factor, share] = this.#waiting.entries().next().value;
      this.#waiting.delete(factor);
      const failure = await post({ factor, share }, this.#stream.token);
      this.#note.classList.toggle("bad", failure !== null);
      this.#note.hidden = failure === null;
      if (failure !== null) this.#note.textContent = label(factor) + " not changed: " + failure;
      await new Promise(done => setTimeout(done, spacing));
    }
    this.#sending = false;
  }
}
