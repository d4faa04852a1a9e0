// Strip charts of the last 20 s.

const span = 20000;   // shown time [ms]
const capacity = 2400; // samples that are kept, at 100 a second
const colors = { sky: "#56b4e9", orange: "#ff9f1c", yellow: "#f5d547", green: "#2bd4a0", red: "#ff5b4d", purple: "#dc96d2", dim: "#9eabbd", grid: "#2a3442" };

// History keeps the newest samples of all columns in rings.
export class History {
  #index = new Map(); // position of each column in a sample
  #rings = [];
  #next = 0;
  length = 0;

  // reset forgets all samples. columns are the names of what a sample holds; the first is its time.
  reset(columns) {
    this.#index = new Map(columns.map((name, i) => [name, i]));
    this.#rings = columns.map(() => new Float64Array(capacity));
    this.length = this.#next = 0;
  }

  push(samples) {
    for (const sample of samples) {
      sample.forEach((value, i) => this.#rings[i][this.#next] = value ?? NaN);
      this.#next = (this.#next + 1) % capacity;
      this.length = Math.min(this.length + 1, capacity);
    }
  }

  // column returns a function that reads a column, from 0 (the oldest sample) to length - 1.
  column(name) {
    const ring = this.#rings[this.#index.get(name)], first = this.#next - this.length + capacity;
    return i => ring[(first + i) % capacity];
  }

  // newest returns the newest value of a column, or null.
  newest(name) {
    const value = this.length ? this.column(name)(this.length - 1) : NaN;
    return Number.isNaN(value) ? null : value;
  }
}

// niceStep returns a step of 1, 2 or 5 times a power of ten that divides a range into about four.
function niceStep(range) {
  const power = 10 ** Math.floor(Math.log10(range / 4)), steps = [1, 2, 5, 10].map(n => n * power);
  return steps.find(step => range / step <= 5) ?? steps[3];
}

// Chart draws some columns of a history.
//
// lines are {column, name, color, dash, width, factor, mirrored, decimals}: factor converts to the unit of the chart, a
// mirrored line is also drawn with the opposite sign. The scale is [low, high] or grows from ±least.
export class Chart {
  #figure;
  #canvas;
  #lines;
  #options;
  #readings = [];
  #visible = true;
  #top = 0; // smoothed half of a growing scale

  constructor(figure, lines, options) {
    this.#figure = figure;
    this.#canvas = figure.querySelector("canvas");
    this.#lines = lines;
    this.#options = options;
    this.#top = options.least ?? 0;
    figure.querySelector("figcaption").append(...lines.map(line => this.#legend(line)));
    new IntersectionObserver(entries => this.#visible = entries.at(-1).isIntersecting).observe(figure);
  }

  // legend returns the name of a line with its look and its newest value.
  #legend(line) {
    const item = document.createElement("span"), key = document.createElement("canvas"), reading = document.createElement("b");
    item.className = "legend";
    key.width = 44;
    key.height = 16;
    const c = key.getContext("2d");
    c.scale(2, 2);
    this.#stroke(c, line);
    c.beginPath();
    c.moveTo(0, 4);
    c.lineTo(22, 4);
    c.stroke();
    item.append(key, line.name, reading);
    this.#readings.push(reading);
    return item;
  }

  #stroke(c, line) {
    c.strokeStyle = colors[line.color];
    c.lineWidth = line.width ?? 2;
    c.setLineDash(line.dash ?? []);
  }

  // draw shows the history, and returns the number of points that it drew.
  draw(history) {
    this.#lines.forEach((line, i) => {
      const value = history.newest(line.column), text = value === null ? "–" : (value * (line.factor ?? 1)).toFixed(line.decimals ?? 1).replace("-", "−");
      if (this.#readings[i].textContent !== text) this.#readings[i].textContent = text;
    });
    if (!this.#visible || history.length === 0) return 0;
    const { c, width, height } = this.#prepare();
    const area = { left: 34, top: 6, width: width - 38, height: height - 22 };
    const now = history.newest("time_ms"), scale = this.#options.scale ?? this.#grow(history);
    c.clearRect(0, 0, width, height);
    this.#grid(c, area, scale);
    c.save();
    c.beginPath();
    c.rect(area.left, area.top - 2, area.width, area.height + 4);
    c.clip();
    let drawn = 0;
    for (const line of this.#lines) {
      drawn += this.#line(c, area, scale, history, line, now, 1);
      if (line.mirrored) this.#line(c, area, scale, history, line, now, -1);
    }
    c.restore();
    return drawn;
  }

  // prepare fits the canvas to its place and the screen's resolution.
  #prepare() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), width = this.#canvas.clientWidth, height = this.#canvas.clientHeight;
    if (this.#canvas.width !== Math.round(width * ratio) || this.#canvas.height !== Math.round(height * ratio)) {
      this.#canvas.width = Math.round(width * ratio);
      this.#canvas.height = Math.round(height * ratio);
    }
    const c = this.#canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { c, width, height };
  }

  // grow returns a scale around 0 that holds all lines: it grows at once and shrinks slowly.
  #grow(history) {
    let largest = this.#options.least;
    for (const line of this.#lines) {
      const at = history.column(line.column), factor = Math.abs(line.factor ?? 1);
      for (let i = 0; i < history.length; i++) {
        const size = Math.abs(at(i)) * factor;
        if (size > largest) largest = size;
      }
    }
    this.#top = Math.max(largest * 1.08, this.#top * 0.99);
    return [-this.#top, this.#top];
  }

  #grid(c, area, [low, high]) {
    const step = niceStep(high - low), y = value => area.top + area.height * (high - value) / (high - low);
    c.lineWidth = 1;
    c.setLineDash([]);
    c.fillStyle = colors.dim;
    c.font = "12px system-ui, sans-serif";
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) {
      const isZero = Math.abs(value) < step / 1e6;
      c.strokeStyle = isZero ? colors.dim : colors.grid;
      c.beginPath();
      c.moveTo(area.left, Math.round(y(value)) + 0.5);
      c.lineTo(area.left + area.width, Math.round(y(value)) + 0.5);
      c.stroke();
      c.fillText(isZero ? "0" : String(+value.toPrecision(3)).replace("-", "−"), area.left - 5, y(value));
    }
    c.strokeStyle = colors.grid;
    c.textBaseline = "alphabetic";
    for (let seconds = 0; seconds <= 20; seconds += 5) {
      const x = Math.round(area.left + area.width * (1 - seconds / 20)) + 0.5;
      c.beginPath();
      c.moveTo(x, area.top);
      c.lineTo(x, area.top + area.height);
      c.stroke();
      c.textAlign = seconds === 0 ? "right" : seconds === 20 ? "left" : "center";
      c.fillText(seconds === 0 ? "now" : "−" + seconds + " s", x, area.top + area.height + 15);
    }
  }

  // line draws one line. Of the samples in one column of pixels it draws the lowest and the highest, in their order,
  // so that no peak is lost. Gaps of more than 0.5 s stay open.
  #line(c, area, [low, high], history, line, now, sign) {
    const value = history.column(line.column), time = history.column("time_ms"), factor = sign * (line.factor ?? 1);
    const cell = span / area.width, y = v => area.top + area.height * (high - v) / (high - low);
    this.#stroke(c, line);
    c.beginPath();
    let drawn = 0, last = NaN, column = NaN, bottom = 0, top = 0, isRising = true, isDown = false;
    const flush = () => {
      const x = area.left + area.width - (now - column * cell) / cell;
      for (const v of bottom === top ? [top] : isRising ? [bottom, top] : [top, bottom]) {
        isDown ? c.lineTo(x, y(v)) : c.moveTo(x, y(v));
        isDown = true;
        drawn++;
      }
    };
    for (let i = 0; i < history.length; i++) {
      const t = time(i), v = value(i) * factor;
      if (now - t > span || Number.isNaN(v)) continue;
      const here = Math.floor(t / cell);
      if (here !== column) {
        if (!Number.isNaN(column)) flush();
        if (t - last > 500) isDown = false;
        column = here;
        bottom = top = v;
      }
      if (v < bottom) [bottom, isRising] = [v, false];
      if (v > top) [top, isRising] = [v, true];
      last = t;
    }
    if (!Number.isNaN(column)) flush();
    c.stroke();
    return drawn;
  }
}
