package recording

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"sync/atomic"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/drivelog"
)

// blockTicks is how many ticks a block has at most: a killed process loses one block, and what the disk had not got.
const blockTicks = 500

// Block is a part of a recording that can be read without the others: a chunk of an MCAP file.
type Block struct {
	First, Next uint64 // its first tick, and the tick after its last one
	Snapshot    bool   // it begins with a snapshot
	Missing     uint64 // ticks that are missing before it

	sum     Summary     // of what happened in it
	boxed   bool        // the black box keeps it
	queued  atomic.Bool // it waits for the file
	chunk   mcap.Chunk
	indexes []*mcap.MessageIndex
}

// Size returns how many bytes the block takes in a file, about.
func (b *Block) Size() int {
	n := len(b.chunk.Records)
	for _, x := range b.indexes {
		n += 6 + 16*len(x.Entries())
	}
	return n
}

// packer packs messages into a block.
type packer struct {
	header *Header
	groups []group
	coder  *changeCoder
	zstd   *zstd.Encoder

	first         uint64 // first tick of the block
	ticks         uint64 // inputs in the block
	missing       uint64 // ticks that are missing before it
	snapshotFirst bool   // it begins with a snapshot
	sum           Summary

	last    uint64 // time of the last message [ns]
	inputs  []byte // their changes
	records []byte
	message []byte
	indexes [64]*mcap.MessageIndex
}

func newPacker(h *Header, groups []group) (*packer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(1<<19), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false)) // the chunk has its own
	if err != nil {
		return nil, err
	}
	p := &packer{header: h, groups: groups, coder: newChangeCoder(), zstd: z,
		inputs: make([]byte, 0, 256<<10), records: make([]byte, 0, 1<<20), message: make([]byte, 0, 64<<10)}
	p.useMemory()
	return p, nil
}

// useMemory packs a block that nobody gets, so that all memory is there before the loop runs.
func (p *packer) useMemory() {
	values, n := []float64{}, 0
	for _, g := range p.groups {
		n += len(g.members)
	}
	for i := range n {
		values = append(values, float64(i))
	}
	p.begin(0)
	for tick := range uint64(blockTicks) {
		p.tick(&drive.Inputs{Gap: float64(tick)})
		p.sample(tick, values)
	}
	p.records = append(p.records, make([]byte, blockBytes)...) // as much to compress as in a drive
	p.finish(newBlock())
	p.ticks = 0
}

// begin begins a block at a tick.
func (p *packer) begin(tick uint64) {
	p.first, p.missing, p.snapshotFirst, p.sum = tick, 0, false, Summary{}
	p.coder.reset()
	p.ticks, p.inputs, p.records, p.last = 0, p.inputs[:0], p.records[:0], p.header.time(tick)
	for _, x := range p.indexes {
		if x != nil {
			x.Reset()
		}
	}
}

// add adds a message of a topic at a tick. The message is p.message.
func (p *packer) add(id uint16, tick uint64) {
	at := p.header.time(tick)
	if p.indexes[id] == nil {
		p.indexes[id] = &mcap.MessageIndex{ChannelID: id}
	}
	p.indexes[id].Add(at, uint64(len(p.records)))
	p.last = max(p.last, at)
	p.records = append(p.records, byte(mcap.OpMessage))
	p.records = binary.LittleEndian.AppendUint64(p.records, uint64(2+4+8+8+len(p.message)))
	p.records = binary.LittleEndian.AppendUint16(p.records, id)
	p.records = binary.LittleEndian.AppendUint32(p.records, uint32(tick))
	p.records = binary.LittleEndian.AppendUint64(p.records, at)
	p.records = binary.LittleEndian.AppendUint64(p.records, at)
	p.records = append(p.records, p.message...)
	p.message = p.message[:0]
}

func (p *packer) uint64(number protowire.Number, v uint64) {
	p.message = protowire.AppendVarint(protowire.AppendTag(p.message, number, protowire.VarintType), v)
}

func (p *packer) double(number protowire.Number, v float64) {
	p.message = protowire.AppendFixed64(protowire.AppendTag(p.message, number, protowire.Fixed64Type), math.Float64bits(v))
}

func (p *packer) bytes(number protowire.Number, v []byte) {
	p.message = protowire.AppendBytes(protowire.AppendTag(p.message, number, protowire.BytesType), v)
}

// tick adds the inputs of the next tick.
func (p *packer) tick(in *drive.Inputs) {
	p.inputs = p.coder.append(p.inputs, in)
	p.ticks++
}

// snapshot adds the state before a tick, with which a replay can begin.
func (p *packer) snapshot(tick uint64, s *drive.State, memory []byte) {
	p.uint64(1, tick)
	p.bytes(2, s.Append(memory))
	p.add(snapshotID, tick)
	p.snapshotFirst = p.snapshotFirst || tick == p.first
}

// hash adds the hash of the state before a tick.
func (p *packer) hash(tick, hash uint64) {
	p.uint64(1, tick)
	p.uint64(2, hash)
	p.add(hashID, tick)
}

// gap adds that ticks are missing before a tick.
func (p *packer) gap(tick, missing uint64) {
	p.uint64(1, missing)
	p.add(gapID, tick)
	p.missing = missing
}

// event adds an event.
func (p *packer) event(tick uint64, kind, text string) {
	p.sum.addEvent(drivelog.Kind(kind))
	p.bytes(1, []byte(kind))
	p.bytes(2, []byte(text))
	p.add(eventID, tick)
}

// lap adds a finished lap.
func (p *packer) lap(tick uint64, number int, time float64, valid bool, sectors []float64) {
	p.sum.addLap(time, valid)
	p.uint64(1, uint64(number))
	p.double(2, time)
	p.uint64(3, protowire.EncodeBool(valid))
	list := make([]byte, 0, 8*len(sectors))
	for _, v := range sectors {
		list = protowire.AppendFixed64(list, math.Float64bits(v))
	}
	p.bytes(4, list)
	p.add(lapID, tick)
}

// sample adds the values of all channels after a tick.
func (p *packer) sample(tick uint64, values []float64) {
	for i, g := range p.groups {
		for n, at := range g.members {
			p.message = protowire.AppendTag(p.message, protowire.Number(n+1), protowire.Fixed32Type)
			p.message = protowire.AppendFixed32(p.message, math.Float32bits(float32(values[at])))
		}
		p.add(firstGroupID+uint16(i), tick)
	}
}

// finish ends the block and stores it in b, whose memory it uses again.
func (p *packer) finish(b *Block) {
	p.uint64(1, p.first)
	p.uint64(2, p.ticks)
	p.bytes(3, p.inputs)
	p.add(inputsID, p.first)
	b.First, b.Next, b.Snapshot, b.Missing, b.sum = p.first, p.first+p.ticks, p.snapshotFirst, p.missing, p.sum
	b.chunk = mcap.Chunk{
		MessageStartTime: p.header.time(b.First), MessageEndTime: p.last, UncompressedSize: uint64(len(p.records)),
		UncompressedCRC: crc32.ChecksumIEEE(p.records), Compression: string(mcap.CompressionZSTD),
		Records: p.zstd.EncodeAll(p.records, b.chunk.Records[:0]),
	}
	n := 0
	for _, x := range p.indexes {
		if x == nil || x.IsEmpty() {
			continue
		}
		if n == len(b.indexes) {
			b.indexes = append(b.indexes, &mcap.MessageIndex{})
		}
		own := b.indexes[n]
		own.ChannelID = x.ChannelID
		own.Reset()
		for _, e := range x.Entries() {
			own.Add(e.Timestamp, e.Offset)
		}
		n++
	}
	for _, unused := range b.indexes[n:] {
		unused.Reset()
	}
}

// blockBytes is what the records of a block take as a rule [bytes].
const blockBytes = 80 << 10

// newBlock returns an empty block with memory.
func newBlock() *Block { return &Block{chunk: mcap.Chunk{Records: make([]byte, 0, blockBytes)}} }
