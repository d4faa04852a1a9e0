package export_test

import (
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"time"
)

// mdfFile is what readMDF finds in an MDF 4 file. It shares nothing with the writer: offsets are written out from
// descriptions of the format.
type mdfFile struct {
	start                   time.Time
	zone, dst               int16
	comment, history        string
	recordSize              int
	cycles                  int
	channels                []mdfChan
	subject, project, tools string
}

type mdfChan struct {
	kind, sync        byte
	precision         int
	name, unit, about string
	values            []float64
}

type mdfBytes []byte

func (b mdfBytes) u64(at uint64) uint64  { return binary.LittleEndian.Uint64(b[at:]) }
func (b mdfBytes) f64(at uint64) float64 { return math.Float64frombits(b.u64(at)) }

// block checks the header of a block at an address, and returns its links and where its data is.
func (b mdfBytes) block(at uint64, id string, links int) (link []uint64, data uint64) {
	if at%8 != 0 || at < 64 {
		panic(fmt.Sprintf("%s at %d", id, at))
	}
	if got := string(b[at : at+8]); got != "##"+id+"\x00\x00\x00\x00" {
		panic(fmt.Sprintf("%q at %d, want %s", got, at, id))
	}
	if n := b.u64(at + 16); n != uint64(links) {
		panic(fmt.Sprintf("%s has %d links, want %d", id, n, links))
	}
	for i := range uint64(links) {
		link = append(link, b.u64(at+24+8*i))
	}
	return link, at + 24 + 8*uint64(links)
}

// text reads a TX or MD block, or "" at 0.
func (b mdfBytes) text(at uint64, id string) string {
	if at == 0 {
		return ""
	}
	_, data := b.block(at, id, 0)
	end := at + b.u64(at+8)
	if end%8 != 0 || b[end-1] != 0 {
		panic(fmt.Sprintf("text at %d does not end with a zero at a multiple of 8", at))
	}
	for i := data; ; i++ {
		if b[i] == 0 {
			return string(b[data:i])
		}
	}
}

// size checks the length of a block.
func (b mdfBytes) size(at, want uint64, id string) {
	if got := b.u64(at + 8); got != want {
		panic(fmt.Sprintf("%s has %d bytes, want %d", id, got, want))
	}
}

// readMDF reads an MDF 4.10 file of one sorted group of float64 channels, and checks its structure.
func readMDF(b mdfBytes) (f mdfFile, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if string(b[:16]) != "MDF     4.10    " || binary.LittleEndian.Uint16(b[28:]) != 410 || b.u64(56)>>32 != 0 {
		return f, fmt.Errorf("identification %q", b[:64])
	}
	hd, data := b.block(64, "HD", 6)
	b.size(64, 104, "HD")
	f.start = time.Unix(0, int64(b.u64(data))).UTC()
	f.zone, f.dst = int16(binary.LittleEndian.Uint16(b[data+8:])), int16(binary.LittleEndian.Uint16(b[data+10:]))
	f.comment = b.text(hd[5], "MD")
	if hd[2] != 0 || hd[3] != 0 || hd[4] != 0 {
		return f, fmt.Errorf("HD links to hierarchy, attachments or events: %v", hd)
	}
	b.readHistory(hd[1], &f)
	if err := f.readComments(); err != nil {
		return f, err
	}

	dg, data := b.block(hd[0], "DG", 4)
	b.size(hd[0], 64, "DG")
	if dg[0] != 0 || b[data] != 0 {
		return f, fmt.Errorf("not one sorted group")
	}
	cg, data := b.block(dg[1], "CG", 6)
	b.size(dg[1], 104, "CG")
	f.cycles = int(b.u64(data + 8))
	f.recordSize = int(binary.LittleEndian.Uint32(b[data+24:]))
	if cg[0] != 0 || binary.LittleEndian.Uint32(b[data+28:]) != 0 {
		return f, fmt.Errorf("a second group, or invalidation bytes")
	}
	_, records := b.block(dg[2], "DT", 0)
	b.size(dg[2], 24+uint64(f.cycles*f.recordSize), "DT")
	if end := dg[2] + b.u64(dg[2]+8); end != uint64(len(b)) {
		return f, fmt.Errorf("the samples end at %d, the file at %d", end, len(b))
	}
	for at := cg[1]; at != 0; at = b.readChannel(at, records, &f) {
	}
	if len(f.channels)*8 != f.recordSize {
		return f, fmt.Errorf("%d channels, record of %d bytes", len(f.channels), f.recordSize)
	}
	return f, nil
}

func (b mdfBytes) readHistory(at uint64, f *mdfFile) {
	fh, _ := b.block(at, "FH", 2)
	b.size(at, 56, "FH")
	f.history = b.text(fh[1], "MD")
}

// readComments parses the comments of the head and the history, which must be XML.
func (f *mdfFile) readComments() error {
	var head struct {
		XMLName xml.Name `xml:"http://www.asam.net/mdf/v4 HDcomment"`
		Common  []struct {
			Name string `xml:"name,attr"`
			Text string `xml:",chardata"`
		} `xml:"common_properties>e"`
	}
	if err := xml.Unmarshal([]byte(f.comment), &head); err != nil {
		return err
	}
	for _, e := range head.Common {
		switch e.Name {
		case "subject":
			f.subject = e.Text
		case "project":
			f.project = e.Text
		}
	}
	var history struct {
		XMLName xml.Name `xml:"http://www.asam.net/mdf/v4 FHcomment"`
		ID      string   `xml:"tool_id"`
		Vendor  string   `xml:"tool_vendor"`
		Version string   `xml:"tool_version"`
	}
	err := xml.Unmarshal([]byte(f.history), &history)
	f.tools = history.ID + " " + history.Vendor + " " + history.Version
	return err
}

// readChannel reads a channel and its samples and returns the address of the next one.
func (b mdfBytes) readChannel(at, records uint64, f *mdfFile) uint64 {
	cn, data := b.block(at, "CN", 8)
	b.size(at, 160, "CN")
	offset, bits := binary.LittleEndian.Uint32(b[data+4:]), binary.LittleEndian.Uint32(b[data+8:])
	if b[data+2] != 4 || b[data+3] != 0 || bits != 64 {
		panic(fmt.Sprintf("channel at %d is not a float64", at))
	}
	if int(offset)+8 > f.recordSize {
		panic(fmt.Sprintf("channel at %d leaves the record", at))
	}
	if cn[1] != 0 || cn[3] != 0 || cn[4] != 0 || cn[5] != 0 {
		panic(fmt.Sprintf("channel at %d has unexpected links %v", at, cn))
	}
	c := mdfChan{
		kind: b[data], sync: b[data+1], precision: int(b[data+20]),
		name: b.text(cn[2], "TX"), unit: b.text(cn[6], "TX"), about: b.text(cn[7], "TX"),
	}
	for i := range f.cycles {
		c.values = append(c.values, b.f64(records+uint64(i*f.recordSize)+uint64(offset)))
	}
	f.channels = append(f.channels, c)
	return cn[0]
}
