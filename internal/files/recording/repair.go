package recording

import (
	"encoding/binary"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// Repair writes what is whole of a recording as a whole file. It returns how many blocks could not be read.
func (r *Recording) Repair(out io.Writer) (lost int, err error) {
	w, err := newWriter(out, &r.Header)
	if err != nil {
		return 0, err
	}
	for _, d := range r.declarations {
		b, err := r.read(d.at, d.size)
		if err != nil {
			return 0, err
		}
		if err := w.declare(d.op, b); err != nil {
			return 0, err
		}
	}
	for _, e := range r.Blocks {
		d, err := r.Block(e)
		if err != nil {
			lost++
			continue
		}
		if err := w.Write(d.block()); err != nil {
			return lost, err
		}
	}
	return lost, w.Close()
}

// declaration is where a schema or a channel of MCAP is declared.
type declaration struct {
	op       mcap.OpCode
	at, size int64
}

// declare writes a schema or a channel as it was.
func (w *Writer) declare(op mcap.OpCode, b []byte) error {
	if op == mcap.OpSchema {
		s, err := mcap.ParseSchema(b)
		if err != nil {
			return err
		}
		return w.mcap.WriteSchema(s)
	}
	c, err := mcap.ParseChannel(b)
	if err != nil {
		return err
	}
	return w.mcap.WriteChannel(c)
}

// block returns a block that was read, with the index of its messages.
func (d *Data) block() *Block {
	b := &Block{First: d.First, Next: d.First + uint64(d.Count), chunk: *d.chunk}
	b.sum = d.summary()
	index := map[uint16]*mcap.MessageIndex{}
	for at := 0; at < len(d.records); {
		m := d.records[at:]
		id := binary.LittleEndian.Uint16(m[9:])
		if index[id] == nil {
			index[id] = &mcap.MessageIndex{ChannelID: id}
			b.indexes = append(b.indexes, index[id])
		}
		index[id].Add(binary.LittleEndian.Uint64(m[9+6:]), uint64(at))
		at += 9 + int(binary.LittleEndian.Uint64(m[1:]))
	}
	return b
}
