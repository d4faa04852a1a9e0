// Shows a state of the rig. All texts are set as text, never as HTML.

import { bytes, degrees, fixed, lapTime, percent, signed, thousands, unknown } from "./format.js";

const fields = Object.fromEntries([...document.querySelectorAll("[data-text]")].map(e => [e.dataset.text, e]));
const byId = id => document.getElementById(id);

// setText changes a text only if it differs, which spares the browser a layout.
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function text(name, value) {
  setText(fields[name], value);
}

// make returns a new element with a class and children.
function make(tag, className, ...children) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
}

const clamp = (value, low, high) => Math.min(Math.max(value ?? 0, low), high);

// fill sets how much of a bar is filled, 0..1, or -1..1 for one that begins in the middle.
function fill(bar, share) {
  bar.style.transform = `scaleX(${clamp(share, -1, 1)})`;
}

// short returns the initials of a name of several words: FL for front left.
function short(name) {
  const words = name.split(/[\s_-]+/);
  return words.length < 2 ? name : words.map(word => word.charAt(0).toUpperCase()).join("");
}

// column makes an upright bar with a mark, a reading and a note, and returns how to set it.
function column(className, name) {
  const bar = make("i"), mark = make("b"), reading = make("span"), note = make("small");
  const box = make("div", "column " + className, make("div", "well", bar, mark), reading, make("small", "", short(name)), note);
  box.title = name;
  mark.hidden = true;
  return {
    box,
    set(share, label, marked = null, noted = "") {
      bar.style.transform = `scaleY(${clamp(share, 0, 1)})`;
      mark.hidden = marked === null;
      if (marked !== null) mark.style.transform = `translateY(${-100 * clamp(marked, 0, 1)}%)`;
      setText(reading, label);
      setText(note, noted);
    },
  };
}

// View shows states of one scene.
export class View {
  #scene;
  #lights;
  #pedals;
  #actuators = [];
  #tires;
  #sectors = [];
  #chips = "";

  constructor() {
    this.#lights = Array.from({ length: 15 }, () => make("i"));
    byId("lights").append(...this.#lights);
    this.#pedals = Object.entries({ clutch: "CLT", brake: "BRK", throttle: "THR", handbrake: "HBK" }).map(([name, label]) => [name, column(name, label)]);
    byId("pedals").append(...this.#pedals.map(([, c]) => c.box));
    this.#tires = ["Front left", "Front right", "Rear left", "Rear right"].map(place => this.#tire(place));
  }

  #tire(place) {
    const t = { box: make("div", "tire"), temperature: make("b"), pressure: make("span"), brake: make("span"), slip: make("i") };
    t.box.title = place + ": tread, pressure, brake disc, slip";
    t.box.append(t.temperature, t.pressure, make("span", "disc", make("small", "", "disc"), t.brake), make("div", "bar", t.slip));
    document.querySelector("#tires .four").append(t.box);
    return t;
  }

  // begin takes what does not change during a drive.
  begin(scene) {
    this.#scene = scene;
    text("title", [scene.car, scene.track].filter(Boolean).join(" · "));
    this.#actuators = scene.actuators.map(name => column("actuator", name));
    byId("actuators").replaceChildren(...this.#actuators.map(a => a.box));
  }

  // show shows a state.
  show(s) {
    text("notice", s.ended ? (s.failure ? "rig has ended: " + s.failure : "rig has ended") : s.notice);
    const badge = byId("badge");
    const state = s.ended ? "ended" : !s.car ? "waiting" : s.age_s > 2 ? "stale" : s.state;
    badge.dataset.state = state;
    text("state", { ended: "rig ended", stale: "no data", waiting: "waiting" }[state] ?? state);
    if (!s.car) return;
    const flags = new Set(s.flags);
    this.#showEngine(s.car, flags);
    this.#showLap(s.lap, s.car, flags);
    this.#showFuel(s.car);
    this.#showChips(s, flags);
    this.#showTires(s.wheels);
    this.#showInputs(s.car, flags);
    this.#showForce(s.force, flags);
    this.#showPlatform(s.platform, flags);
    this.#showSystem(s);
  }

  #showEngine(car, flags) {
    const { idle_rpm: idle, shift_up_rpm: shift, max_rpm: max } = this.#scene;
    const full = shift > idle ? shift : max, count = Math.floor(15 * clamp((car.rpm - idle) / (full - idle || 1), 0, 1));
    this.#lights.forEach((light, i) => light.classList.toggle("lit", i < count));
    byId("lights").classList.toggle("limit", car.rpm >= 0.985 * max);
    text("speed", fixed(Math.abs(car.speed_m_s) * 3.6));
    text("rpm", thousands(car.rpm));
    text("gear", car.gear);
    text("shifting", flags.has("auto_gears") ? "A" : "M");
    byId("gear").classList.toggle("grinds", flags.has("gears_grinding"));
  }

  #showLap(lap, car, flags) {
    const known = lap.delta_s !== null;
    text("delta", known ? signed(clamp(lap.delta_s, -99, 99), 2) : unknown);
    for (const e of [byId("delta"), byId("delta-bar").parentElement]) {
      e.classList.toggle("good", known && lap.delta_s <= 0);
      e.classList.toggle("bad", known && lap.delta_s > 0);
    }
    fill(byId("delta-bar"), lap.delta_s / 2); // 2 s fill it
    text("lap-time", lapTime(lap.time_s, 1));
    text("lap", lap.number > 0 ? String(lap.number) : "out");
    text("lap-valid", flags.has("lap_invalid") ? "invalid" : "");
    byId("lap-valid").classList.toggle("bad", flags.has("lap_invalid"));
    text("last", lapTime(lap.last_s));
    byId("last").classList.toggle("bad", flags.has("last_lap_invalid"));
    text("best", lapTime(lap.best_s));
    text("laps", String(lap.count));
    text("distance", fixed(car.distance_m / 1000, 2) + " km");
    this.#showSectors(lap);
  }

  // showSectors shows the times of this lap, or of the last one where the car has not been yet.
  #showSectors(lap) {
    while (this.#sectors.length < lap.splits_s.length) {
      const s = { box: make("li"), time: make("span"), lost: make("span") };
      s.box.append(make("small", "", "S" + (this.#sectors.length + 1)), s.time, s.lost);
      byId("sectors").append(s.box);
      this.#sectors.push(s);
    }
    this.#sectors.forEach(({ box, time, lost }, i) => {
      const isNew = lap.splits_s[i] > 0, split = isNew ? lap.splits_s[i] : lap.last_splits_s[i], best = lap.best_sectors_s[i];
      box.hidden = i >= lap.splits_s.length;
      box.className = (isNew ? "" : "old") + (lap.number > 0 && i === lap.sector ? " now" : "");
      setText(time, split > 0 ? fixed(split, 2) : unknown);
      const known = split > 0 && best > 0;
      setText(lost, !known ? "\u00a0" : split <= best ? "best" : signed(split - best, 2));
      lost.className = known && split <= best ? "good" : "bad";
    });
  }

  #showFuel(car) {
    text("fuel-name", this.#scene.electric ? "Battery" : "Fuel");
    text("fuel", car.fuel_l !== null ? fixed(car.fuel_l, 1) + " L" : percent(car.charge));
    fill(byId("fuel-bar"), car.charge);
    byId("fuel-bar").classList.toggle("low", car.charge !== null && car.charge <= 0.1);
  }

  // showChips shows the driving aids, and states that the driver must know of.
  #showChips(s, flags) {
    const chips = [["abs", "ABS", "abs_active"], ["traction", "TC", "traction_active"], ["stability", "ESC", "stability_active"]]
      .map(([key, name, active]) => [name + " " + (s.car[key] || "off"), flags.has(active) ? "act" : s.car[key] ? "on" : "off"]);
    const add = (flag, name, look) => flags.has(flag) && chips.push([name, look]);
    add("launch_on", "Launch", flags.has("launch_active") ? "act" : "on");
    add("pit_limiter_on", "Pit limiter", flags.has("pit_limiter_active") ? "act" : "on");
    add("in_pit", "Pit lane " + fixed(s.lap.pit_s, 1) + " s", "act");
    add("paused", "Paused", "act");
    add("off_track", "Off track", "warn");
    add("wrong_way", "Wrong way", "alarm");
    for (const [flag, name] of [["interlock_open", "Belt or door open"], ["dead_man_released", "Dead man's switch let go"], ["hands_off", "Hands off"]]) add(flag, name, "alarm");
    if (["confirm_interlock", "confirm_after_gap", "confirm_window_lost", "confirm_platform"].some(f => flags.has(f))) chips.push(["Confirm at the rig", "warn"]);
    add("motion_off", "Motion off", "warn");
    add("high_torque", "High torque", "warn");
    for (const device of ["wheel", "pedals", "platform"]) if (!flags.has(device)) chips.push(["No " + device, "warn"]);
    if (s.recorder.on) chips.push(["Recording", "on"]);
    add("demo", "Demo", "on");
    add("keys_drive", "Keyboard", "on");
    if (s.car.grip_loss > 0) chips.push(["Rain " + percent(s.car.grip_loss), "on"]);
    const look = JSON.stringify(chips);
    if (look === this.#chips) return;
    this.#chips = look;
    byId("chips").replaceChildren(...chips.map(([name, look]) => {
      const chip = make("li", "", name);
      chip.dataset.look = look;
      return chip;
    }));
  }

  #showTires(wheels) {
    wheels.forEach((w, i) => {
      const t = this.#tires[i];
      setText(t.temperature, w.tire_c === null ? unknown : fixed(w.tire_c));
      setText(t.pressure, w.pressure_pa === null ? unknown : fixed(w.pressure_pa / 1e5, 2));
      setText(t.brake, w.brake_c === null ? unknown : fixed(w.brake_c) + "°");
      t.box.style.setProperty("--color", temperatureColor(w.tire_c));
      fill(t.slip, w.slip / 1.5);
      t.slip.classList.toggle("over", w.slip > 1);
    });
  }

  #showInputs(car, flags) {
    for (const [name, c] of this.#pedals) c.set(car[name], fixed(100 * car[name]));
    this.#pedals[1][1].box.classList.toggle("lit", flags.has("abs_active"));
    byId("rim").style.transform = `rotate(${-degrees(car.steer_rad)}deg)`;
    const angle = degrees(car.steer_rad);
    text("steer", fixed(Math.abs(angle)) + "° " + (Math.abs(angle) < 0.5 ? "" : angle > 0 ? "left" : "right"));
  }

  // showForce shows torques. The bar points where the torque turns the rim.
  #showForce(force, flags) {
    const limit = force.limit_nm;
    text("limit", fixed(limit, 1));
    text("rim", signed(force.rim_nm, 2));
    fill(byId("rim-bar"), limit > 0 ? -force.rim_nm / limit : 0);
    byId("asked-mark").style.transform = `translateX(${limit > 0 ? -49 * clamp(force.asked_nm / limit, -1, 1) : 0}%)`;
    byId("clip").classList.toggle("lit", flags.has("clipping"));
    text("asked", signed(force.asked_nm, 2) + " N·m");
    text("clipped", percent(force.clipped, 1));
    byId("clipped").classList.toggle("bad", force.clipped > 0.025);
    text("gain", percent(force.gain));
  }

  #showPlatform(platform, flags) {
    const isThere = flags.has("platform");
    text("platform", isThere ? platform.state : "none");
    const faults = byId("faults");
    faults.hidden = platform.faults.length === 0;
    text("faults", platform.faults.join(", "));
    this.#actuators.forEach((a, i) => {
      const leg = platform.actuators[i];
      a.box.hidden = !leg;
      if (leg) a.set(leg.target, fixed(100 * leg.target), leg.feedback, leg.temperature_c === null ? "" : fixed(leg.temperature_c) + " °C");
    });
    text("platform-line", !isThere ? "not connected" : `motion ${percent(platform.guard_share)} · ${fixed(platform.rate_hz)} Hz · ${fixed(platform.latency_s * 1000, 1)} ms`);
  }

  #showSystem(s) {
    text("late", fixed(s.loop.late_max_s * 1e6) + " µs");
    text("tick", fixed(s.loop.tick_cost_s * 1e6) + " µs");
    text("dropped", s.loop.missed + ", " + s.loop.dropped);
    byId("dropped").classList.toggle("bad", s.loop.dropped > 0);
    text("recorder", !s.recorder.on ? "off" : bytes(s.recorder.bytes) + (s.recorder.missing ? ", lacks " + s.recorder.missing + " ticks" : ""));
  }
}

// temperatureColor returns a color for a tread [°C]: blue is cold, green is right, red is hot.
function temperatureColor(celsius) {
  const points = [[40, 60, 110, 235], [65, 86, 180, 233], [85, 43, 212, 160], [105, 245, 213, 71], [125, 255, 91, 77]];
  if (celsius === null) return "var(--line)";
  const t = clamp(celsius, points[0][0], points.at(-1)[0]);
  const i = points.findLastIndex((p, k) => p[0] <= t && k < points.length - 1), a = points[i], b = points[i + 1], share = (t - a[0]) / (b[0] - a[0]);
  return `rgb(${[1, 2, 3].map(k => Math.round(a[k] + (b[k] - a[k]) * share)).join(" ")})`;
}
