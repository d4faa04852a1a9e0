package export

import (
	"bufio"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"rig.example/rig/internal/files/drivelog"
)

const (
	mdfIDSize     = 64
	mdfHeaderSize = 24 // of every block: ID, length, number of links [B]
	mdfValueSize  = 8  // float64 [B]
	mdfReal       = 4  // data type: real, little endian
	mdfMaster     = 2  // channel type
	mdfSyncTime   = 1  // what a master channel counts
	mdfPrecision  = 4  // flag: the number of decimals is valid
	mdfOffsets    = 2  // flag of a time: its zone is known
	mdfNamespace  = ` xmlns="http://www.asam.net/mdf/v4"`
)

// The data sections of the blocks, as the standard names their fields.
type (
	mdfTime struct { // in HD and FH
		UTC       uint64 // [ns] since 1970
		Zone, DST int16  // [min]
		Flags     uint8
	}
	mdfHD struct {
		Time            mdfTime
		Class, Flags    uint8
		_               uint8
		Angle, Distance float64
	}
	mdfFH struct {
		Time mdfTime
		_    [3]uint8
	}
	mdfDG struct {
		RecordIDSize uint8
		_            [7]uint8
	}
	mdfCG struct {
		RecordID, Cycles        uint64
		Flags, PathSeparator    uint16
		_                       uint32
		DataBytes, InvalidBytes uint32
	}
	mdfCN struct {
		Type, Sync, DataType, BitOffset         uint8
		ByteOffset, BitCount, Flags, InvalidBit uint32
		Precision                               uint8
		_                                       uint8
		Attachments                             uint16
		Range, Limit, ExtendedLimit             [2]float64
	}
)

// mdfBlocks collects blocks. A block is added after those that it links to, so that their addresses are known.
type mdfBlocks struct{ bytes []byte }

// MDF4 writes log as an ASAM MDF 4.10 file: one sorted group of float64 channels, uncompressed, in the units of log.
//
// The master channel is time [s], the time from the beginning of the recording, which is the file's start time. NaN
// stays NaN.
func MDF4(w io.Writer, log *drivelog.Log) error {
	if err := check(log); err != nil {
		return err
	}
	record := uint64(len(log.Channels)+1) * mdfValueSize
	if record > math.MaxUint32 {
		return fmt.Errorf("export: %d channels: an MDF record holds at most 4 GiB; choose fewer", len(log.Channels))
	}
	return stream(w, func(out *bufio.Writer) {
		out.Write(mdfStart(log, record))
		out.Write(mdfHeader(nil, "DT", 0, record*uint64(log.Len())))
		number := func(v float64) {
			out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), math.Float64bits(v)))
		}
		for i := range log.Len() {
			number(log.Time(i))
			for _, c := range log.Channels {
				number(c.Values[i])
			}
		}
	})
}

// mdfStart returns everything before the samples, which follow as a DT block.
func mdfStart(log *drivelog.Log, record uint64) []byte {
	b := &mdfBlocks{}
	b.bytes = append(b.bytes, "MDF     4.10    rig     \x00\x00\x00\x00"...)
	b.bytes = binary.LittleEndian.AppendUint16(b.bytes, 410)
	b.bytes = append(b.bytes, make([]byte, mdfIDSize-len(b.bytes))...)

	header := func(dg, fh, comment uint64) []byte {
		var hd mdfBlocks
		hd.add("HD", &mdfHD{Time: mdfStartTime(log)}, dg, fh, 0, 0, 0, comment)
		return hd.bytes
	}
	b.bytes = append(b.bytes, header(0, 0, 0)...) // replaced below, when its links are known

	comment := b.text("MD", "<HDcomment"+mdfNamespace+"><TX>"+xmlText(log.Car+", "+log.Track)+"</TX><common_properties>"+
		`<e name="subject">`+xmlText(log.Car)+`</e><e name="project">`+xmlText(log.Track)+"</e></common_properties></HDcomment>")
	history := b.text("MD", "<FHcomment"+mdfNamespace+"><TX>Exported from a recording</TX>"+
		"<tool_id>rig</tool_id><tool_vendor>rig</tool_vendor><tool_version>1</tool_version></FHcomment>")
	fh := b.add("FH", &mdfFH{Time: mdfStartTime(log)}, 0, history)

	var next uint64
	for i := len(log.Channels) - 1; i >= 0; i-- { // each links to the next one
		c := &log.Channels[i]
		next = b.channel(c, mdfCN{ByteOffset: uint32(i+1) * mdfValueSize}, next)
	}
	master := drivelog.Channel{Name: "time", Unit: "s", About: "time from the beginning of the recording", Decimals: 6}
	next = b.channel(&master, mdfCN{Type: mdfMaster, Sync: mdfSyncTime}, next)
	cg := b.add("CG", &mdfCG{Cycles: uint64(log.Len()), DataBytes: uint32(record)}, 0, next, 0, 0, 0, 0)
	const dgSize = mdfHeaderSize + 4*8 + 8
	dg := b.add("DG", &mdfDG{}, 0, cg, uint64(len(b.bytes)+dgSize), 0) // the samples stand behind it
	copy(b.bytes[mdfIDSize:], header(dg, fh, comment))
	return b.bytes
}

// channel adds the block of a channel and its texts.
func (b *mdfBlocks) channel(c *drivelog.Channel, cn mdfCN, next uint64) uint64 {
	cn.DataType, cn.BitCount = mdfReal, mdfValueSize*8
	cn.Flags, cn.Precision = mdfPrecision, uint8(min(max(c.Decimals, 0), 254))
	name, unit, about := b.text("TX", c.Name), b.text("TX", c.Unit), b.text("TX", c.About)
	return b.add("CN", &cn, next, 0, name, 0, 0, 0, unit, about)
}

// text adds a text and returns its address, or 0 if it is empty. It ends with a zero.
func (b *mdfBlocks) text(id, s string) uint64 {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	if s == "" {
		return 0
	}
	field := make([]byte, (len(s)/8+1)*8)
	copy(field, s)
	return b.add(id, field)
}

// add adds a block and returns its address. The size of data must be a multiple of 8, which keeps blocks aligned.
func (b *mdfBlocks) add(id string, data any, links ...uint64) (address uint64) {
	address = uint64(len(b.bytes))
	b.bytes = mdfHeader(b.bytes, id, len(links), uint64(binary.Size(data)))
	for _, part := range []any{links, data} {
		b.bytes, _ = binary.Append(b.bytes, binary.LittleEndian, part) // it cannot fail: the sizes are fixed
	}
	return address
}

// mdfHeader appends the start of a block with a number of links and size bytes of data.
func mdfHeader(b []byte, id string, links int, size uint64) []byte {
	b = append(b, "##"+id+"\x00\x00\x00\x00"...)
	b = binary.LittleEndian.AppendUint64(b, mdfHeaderSize+uint64(links)*8+size)
	return binary.LittleEndian.AppendUint64(b, uint64(links))
}

// mdfStartTime returns when the recording began, or 1970 if that is unknown.
func mdfStartTime(log *drivelog.Log) (t mdfTime) {
	if log.Began.IsZero() {
		return t
	}
	_, offset := log.Began.Zone()
	t = mdfTime{UTC: uint64(max(log.Began.UnixNano(), 0)), Zone: int16(offset / 60), Flags: mdfOffsets}
	if log.Began.IsDST() {
		t.Zone, t.DST = t.Zone-60, 60
	}
	return t
}

// xmlText escapes s.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder cannot fail
	return b.String()
}
