package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/foxglove/mcap/go/mcap"
	"google.golang.org/protobuf/encoding/protowire"
)

var errMessage = errors.New("a message is cut off or none of rig's")

// parse fills in d from the records of a block.
func (r *Recording) parse(d *Data, records []byte) error {
	for len(records) > 0 {
		if len(records) < 9 {
			return errMessage
		}
		size := binary.LittleEndian.Uint64(records[1:])
		if size > uint64(len(records)-9) || mcap.OpCode(records[0]) != mcap.OpMessage || size < 22 {
			return errMessage
		}
		m := records[9 : 9+size]
		records = records[9+size:]
		tick, ok := r.tickOf(binary.LittleEndian.Uint64(m[6:]))
		if !ok {
			return errMessage
		}
		if err := d.add(binary.LittleEndian.Uint16(m), tick, m[22:]); err != nil {
			return err
		}
	}
	return nil
}

// value is a field of a message.
type value struct {
	number protowire.Number
	bits   uint64 // of a number
	bytes  []byte
}

// eachField calls set for each field of a message.
func eachField(m []byte, set func(value)) error {
	for len(m) > 0 {
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			return errMessage
		}
		m = m[n:]
		v := value{number: number}
		switch kind {
		case protowire.VarintType:
			v.bits, n = protowire.ConsumeVarint(m)
		case protowire.Fixed64Type:
			v.bits, n = protowire.ConsumeFixed64(m)
		case protowire.Fixed32Type:
			var bits uint32
			bits, n = protowire.ConsumeFixed32(m)
			v.bits = uint64(bits)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(m)
		default:
			return errMessage
		}
		if n < 0 {
			return errMessage
		}
		m = m[n:]
		set(v)
	}
	return nil
}

// add adds a message.
func (d *Data) add(id uint16, tick uint64, m []byte) error {
	switch id {
	case inputsID:
		return d.addInputs(m)
	case snapshotID:
		s := Snapshot{Tick: tick}
		err := eachField(m, func(v value) {
			if v.number == 2 {
				s.State = v.bytes
			}
		})
		d.Snapshots = append(d.Snapshots, s)
		return err
	case hashID:
		var h Hash
		err := eachField(m, func(v value) {
			switch v.number {
			case 1:
				h.Tick = v.bits
			case 2:
				h.Hash = v.bits
			}
		})
		d.Hashes = append(d.Hashes, h)
		return err
	case eventID:
		e := Event{Tick: tick}
		err := eachField(m, func(v value) {
			switch v.number {
			case 1:
				e.Kind = string(v.bytes)
			case 2:
				e.Text = string(v.bytes)
			}
		})
		d.Events = append(d.Events, e)
		return err
	case lapID:
		return d.addLap(tick, m)
	case gapID:
		return eachField(m, func(v value) { d.Missing = v.bits })
	}
	if id < firstGroupID {
		return errMessage
	}
	s := Sample{Tick: tick, Group: int(id - firstGroupID)}
	err := eachField(m, func(v value) { s.Values = append(s.Values, math.Float32frombits(uint32(v.bits))) })
	d.Samples = append(d.Samples, s)
	return err
}

func (d *Data) addInputs(m []byte) error {
	var count uint64
	if err := eachField(m, func(v value) {
		switch v.number {
		case 1:
			d.First = v.bits
		case 2:
			count = v.bits
		case 3:
			d.changes = v.bytes
		}
	}); err != nil {
		return err
	}
	if count > blockTicks {
		return fmt.Errorf("inputs of %d ticks: must be %d at most", count, blockTicks)
	}
	d.Count = int(count)
	return nil
}

func (d *Data) addLap(tick uint64, m []byte) error {
	l := Lap{Tick: tick}
	err := eachField(m, func(v value) {
		switch v.number {
		case 1:
			l.Number = int(v.bits)
		case 2:
			l.Time = math.Float64frombits(v.bits)
		case 3:
			l.Valid = protowire.DecodeBool(v.bits)
		case 4:
			for b := v.bytes; len(b) >= 8; b = b[8:] {
				l.Sectors = append(l.Sectors, math.Float64frombits(binary.LittleEndian.Uint64(b)))
			}
		}
	})
	d.Laps = append(d.Laps, l)
	return err
}
