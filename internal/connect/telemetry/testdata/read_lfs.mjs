// Waits for a packet of OutGauge and one of OutSim with all options, as a dashboard of Live for Speed does. It prints
// two lines of JSON: the UDP ports that it listens at, then what it has found in the packets.
//
//   node read_lfs.mjs
//
// It uses nothing of rig: node-insim reads the packets.

import { createRequire } from "node:module";
import { OutGauge, OutSim } from "node-insim";

const allOptions = 0x1ff;
const timeout = 20_000; // [ms]
const found = { version: createRequire(import.meta.url)("node-insim/package.json").version };

function take(name, packet) {
  found[name] = packet;
  if (found.gauge && found.sim) {
    console.log(JSON.stringify(found));
    process.exit(0);
  }
}

// listen starts a listener, and returns the port that the system has given it.
function listen(listener, name, options) {
  return new Promise((resolve) => {
    listener.on("connect", () => resolve(listener.connection.socket.address().port));
    listener.on("packet", (packet) => take(name, packet));
    listener.connect({ Host: "127.0.0.1", Port: 0, ...options });
  });
}

setTimeout(() => {
  console.error(`no packets in ${timeout} ms; found ${Object.keys(found)}`);
  process.exit(1);
}, timeout);
const gauge = await listen(new OutGauge(), "gauge", {});
const sim = await listen(new OutSim(), "sim", { OutSimOpts: allOptions });
console.log(JSON.stringify({ gauge, sim }));
