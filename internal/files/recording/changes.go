package recording

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"rig.example/rig/internal/core/drive"
)

// The inputs of a block are stored as the words that change: for each tick a bit for each word of 8 bytes, and the words
// that differ from those of the tick before, exclusive-or. Before the first tick all are 0.
var (
	inputWords = (drive.InputsSize + 7) / 8
	maskBytes  = (inputWords + 7) / 8
)

// changeCoder keeps the words of the last tick.
type changeCoder struct {
	last, now []uint64
	memory    []byte
}

func newChangeCoder() *changeCoder {
	return &changeCoder{make([]uint64, inputWords), make([]uint64, inputWords), make([]byte, 0, 8*inputWords)}
}

// reset begins a block.
func (c *changeCoder) reset() { clear(c.last) }

// append appends what changes with in.
func (c *changeCoder) append(b []byte, in *drive.Inputs) []byte {
	c.memory = in.Append(c.memory[:0])
	size := len(c.memory)
	c.memory = c.memory[:8*inputWords]
	clear(c.memory[size:])
	mask := len(b)
	for range maskBytes {
		b = append(b, 0)
	}
	for i := range c.now {
		c.now[i] = binary.LittleEndian.Uint64(c.memory[8*i:])
		if change := c.now[i] ^ c.last[i]; change != 0 {
			b[mask+i/8] |= 1 << (i % 8)
			b = binary.LittleEndian.AppendUint64(b, change)
		}
	}
	c.last, c.now = c.now, c.last
	return b
}

var errShort = errors.New("inputs end too early")

// next sets in to the inputs of the next tick in b, and returns the rest of b.
func (c *changeCoder) next(b []byte, in *drive.Inputs) ([]byte, error) {
	if len(b) < maskBytes {
		return nil, errShort
	}
	mask := b[:maskBytes]
	b = b[maskBytes:]
	for i, m := range mask {
		for ; m != 0; m &= m - 1 {
			word := 8*i + bits.TrailingZeros8(m)
			if len(b) < 8 || word >= inputWords {
				return nil, errShort
			}
			c.last[word] ^= binary.LittleEndian.Uint64(b)
			b = b[8:]
		}
	}
	c.memory = c.memory[:8*inputWords]
	for i, v := range c.last {
		binary.LittleEndian.PutUint64(c.memory[8*i:], v)
	}
	return b, in.Set(c.memory[:drive.InputsSize])
}
