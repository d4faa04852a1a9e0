// Reads an MCAP file by its index, decodes each message by its own schema, and prints one JSON object: what each topic
// holds, and the names of the metadata.
//
//   node read_mcap.mjs FILE
//
// It uses nothing of rig: @mcap/core, which Foxglove reads files with, protobufjs and fzstd.

import { open } from "node:fs/promises";
import { createRequire } from "node:module";
import { McapIndexedReader } from "@mcap/core";
import { decompress } from "fzstd";

const require = createRequire(import.meta.url);
const protobuf = require("protobufjs");
const { FileDescriptorSet } = require("protobufjs/ext/descriptor");

const file = await open(process.argv[2]);
const readable = {
  size: async () => BigInt((await file.stat()).size),
  read: async (offset, length) => {
    const bytes = new Uint8Array(Number(length));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, Number(offset));
    if (bytesRead !== bytes.length) {
      throw new Error(`${bytesRead} bytes of ${length} at byte ${offset}`);
    }
    return bytes;
  },
};
const reader = await McapIndexedReader.Initialize({
  readable,
  decompressHandlers: { zstd: (bytes, size) => decompress(bytes, new Uint8Array(Number(size))) },
});

// typeOf returns the type of a schema's messages.
function typeOf(schema) {
  if (schema.encoding !== "protobuf") {
    throw new Error(`${schema.name} has encoding ${schema.encoding}`);
  }
  const root = protobuf.Root.fromDescriptor(FileDescriptorSet.decode(schema.data), { keepCase: true });
  return root.lookupType(schema.name);
}

const types = new Map();
for (const [id, schema] of reader.schemasById) {
  types.set(id, typeOf(schema));
}

const topics = {};
for await (const message of reader.readMessages()) {
  const channel = reader.channelsById.get(message.channelId);
  const type = types.get(channel.schemaId);
  const values = type.toObject(type.decode(message.data), { longs: Number, defaults: true });
  const topic = (topics[channel.topic] ??= {
    type: type.fullName.slice(1),
    messages: 0,
    first_ns: String(message.logTime),
    last_ns: "",
    numbers: {},
    texts: {},
  });
  topic.messages++;
  topic.last_ns = String(message.logTime);
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "number") {
      const number = (topic.numbers[name] ??= { first: value, last: value, sum: 0 }); // NaN is null in JSON
      number.last = value;
      number.sum += Number.isNaN(value) ? 0 : value;
    } else if (typeof value === "string") {
      (topic.texts[name] ??= []).push(value);
    }
  }
}
const metadata = [];
for await (const record of reader.readMetadata()) {
  metadata.push(record.name);
}
await file.close();
console.log(JSON.stringify({ library: reader.header.library, metadata, counted: Number(reader.statistics.messageCount), topics }));
