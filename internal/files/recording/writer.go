package recording

import (
	"errors"
	"io"

	"github.com/foxglove/mcap/go/mcap"

	"rig.example/rig/internal/core/channels"
)

// Writer writes blocks as an MCAP file.
type Writer struct {
	mcap *mcap.Writer
	sum  Summary
	next uint64 // tick after the last block
}

// NewWriter begins a file of these channels.
func NewWriter(out io.Writer, h *Header, list []channels.Channel) (*Writer, error) {
	w, err := newWriter(out, h)
	if err != nil {
		return nil, err
	}
	for _, t := range topics(list) {
		schema, err := t.schema()
		if err != nil {
			return nil, err
		}
		if err := errors.Join(w.mcap.WriteSchema(schema), w.mcap.WriteChannel(t.channel())); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// newWriter begins a file whose topics are not declared yet.
func newWriter(out io.Writer, h *Header) (*Writer, error) {
	m, err := mcap.NewWriter(out, &mcap.WriterOptions{})
	if err != nil {
		return nil, err
	}
	if err := m.WriteHeader(&mcap.Header{Profile: "", Library: "rig " + h.Version}); err != nil {
		return nil, err
	}
	meta, err := h.metadata()
	if err != nil {
		return nil, err
	}
	return &Writer{mcap: m}, m.WriteMetadata(meta)
}

// Write writes a block.
func (w *Writer) Write(b *Block) error {
	for _, x := range b.indexes {
		n := uint64(len(x.Entries()))
		w.mcap.Statistics.ChannelMessageCounts[x.ChannelID] += n
		w.mcap.Statistics.MessageCount += n
	}
	if w.next > 0 && b.First > w.next {
		w.sum.Missing += b.First - w.next
	}
	w.next = b.Next
	w.sum.add(b.sum, b.Next-b.First)
	chunk := b.chunk
	return w.mcap.WriteChunkWithIndexes(&chunk, b.indexes)
}

// Close ends the file with its summary and its index.
func (w *Writer) Close() error {
	meta, err := w.sum.metadata()
	if err != nil {
		return err
	}
	if err := w.mcap.WriteMetadata(meta); err != nil {
		return err
	}
	return w.mcap.Close()
}
