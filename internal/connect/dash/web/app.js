// The page of a running rig: joins the stream, the view, the charts and the tuning. The stop button is in stop.js.

import { Chart, History } from "./chart.js";
import { Tuning } from "./orders.js";
import { Stream } from "./stream.js";
import { View, text } from "./view.js";

const millimeters = 1000, degree = 180 / Math.PI;
const longDash = [7, 4], dots = [2, 3];

const charts = [
  new Chart(document.getElementById("chart-force"), [
    { column: "torque_limit_nm", name: "limit", color: "dim", dash: longDash, width: 1.5, mirrored: true },
    { column: "asked_torque_nm", name: "requested", color: "orange", width: 1.5 },
    { column: "rim_torque_nm", name: "rim", color: "sky", width: 2 },
  ], { least: 1 }),
  new Chart(document.getElementById("chart-inputs"), [
    { column: "throttle", name: "throttle", color: "green", factor: 100, decimals: 0 },
    { column: "brake", name: "brake", color: "red", dash: longDash, factor: 100, decimals: 0 },
  ], { scale: [0, 100] }),
  new Chart(document.getElementById("chart-translation"), [
    { column: "surge_m", name: "surge", color: "sky", factor: millimeters },
    { column: "sway_m", name: "sway", color: "orange", dash: longDash, factor: millimeters },
    { column: "heave_m", name: "heave", color: "purple", dash: dots, factor: millimeters },
  ], { least: 5 }),
  new Chart(document.getElementById("chart-rotation"), [
    { column: "roll_rad", name: "roll", color: "sky", factor: degree },
    { column: "pitch_rad", name: "pitch", color: "orange", dash: longDash, factor: degree },
    { column: "yaw_rad", name: "yaw", color: "purple", dash: dots, factor: degree },
  ], { least: 1 }),
];

const history = new History(), view = new View(), link = document.getElementById("link");
let newest = null;      // state to show with the next picture
let received = 0;       // when the newest state came [ms]
let isRequested = false;

// requestPicture shows what is newest with the next picture of the screen, however many messages came until then.
function requestPicture() {
  if (isRequested) return;
  isRequested = true;
  requestAnimationFrame(() => {
    isRequested = false;
    view.show(newest);
    if (newest.tuned) tuning.show(newest.tuned);
    for (const chart of charts) chart.draw(history);
  });
}

// showLink shows whether figures come, and why not. Figures that are not live are dimmed.
function showLink(isUp, words) {
  link.dataset.link = isUp ? "up" : "down";
  document.body.classList.toggle("old", !isUp);
  text("link", isUp || newest ? words : "not connected");
  if (!newest) text("notice", words);
}

const stream = new Stream({
  scene(scene) {
    history.reset(scene.columns);
    view.begin(scene);
    tuning.build(scene.tuned);
  },
  history(message) {
    history.push(message.samples);
  },
  frame(message) {
    newest = message.state;
    received = performance.now();
    history.push(message.samples);
    const isOld = newest.age_s > 2;
    showLink(!isOld && !newest.ended && Boolean(newest.car), newest.ended ? "rig ended" : !newest.car ? "no data yet" : isOld ? `no new data for ${Math.floor(newest.age_s)} s` : "live");
    requestPicture();
  },
  onLink: showLink,
});
const tuning = new Tuning(document.getElementById("tuning"), stream);

// A stream that has become silent is no longer live, long before it counts as lost.
setInterval(() => {
  const silent = performance.now() - received;
  if (newest && !newest.ended && !document.hidden && silent > 2000) {
    document.getElementById("badge").dataset.state = "stale";
    text("state", "no data");
    if (link.dataset.link === "up") showLink(false, `no message for ${Math.floor(silent / 1000)} s`);
  }
}, 500);
