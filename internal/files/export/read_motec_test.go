package export_test

import (
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ldFile is what readLD finds in a .ld file. It shares nothing with the writer: offsets are written out from
// descriptions of the format.
type ldFile struct {
	date, time, driver, vehicle, venue, comment string
	device                                      string
	event, session, eventComment                string
	venueName, vehicleID, vehicleType           string
	channels                                    []ldChan
	size                                        int
}

// ldChan is one channel. values are scaled as integer channels are; raw are the stored ones.
type ldChan struct {
	at, dataAt        int
	id                uint16
	rate              int
	decimals          int
	name, short, unit string
	values, raw       []float64
}

type ldBytes []byte

func (b ldBytes) u16(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
func (b ldBytes) i16(at int) int { return int(int16(binary.LittleEndian.Uint16(b[at:]))) }
func (b ldBytes) u32(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
func (b ldBytes) text(at, size int) string {
	s, _, _ := strings.Cut(string(b[at:at+size]), "\x00")
	return s
}

// readLD reads a .ld file and checks its structure.
func readLD(b ldBytes) (f ldFile, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a pointer leaves the file: %v", p)
		}
	}()
	if b.u32(0) != 0x40 {
		return f, fmt.Errorf("marker %#x", b.u32(0))
	}
	f = ldFile{
		date: b.text(0x5e, 16), time: b.text(0x7e, 16), driver: b.text(0x9e, 64), vehicle: b.text(0xde, 64),
		venue: b.text(0x15e, 64), comment: b.text(0x624, 64), device: b.text(0x4a, 8), size: len(b),
	}
	if b.u32(0x5de) != 0xc81a4 {
		return f, fmt.Errorf("no mark of pro logging")
	}
	event := b.u32(0x24)
	f.event, f.session, f.eventComment = b.text(event, 64), b.text(event+64, 64), b.text(event+128, 1024)
	venue := b.u16(event + 1152)
	if wide := b.u32(event + 1152); wide != venue {
		return f, fmt.Errorf("pointer to venue is %d with 16 bits and %d with 32", venue, wide)
	}
	f.venueName = b.text(venue, 64)
	vehicle := b.u16(venue + 1098)
	if wide := b.u32(venue + 1098); wide != vehicle {
		return f, fmt.Errorf("pointer to vehicle is %d with 16 bits and %d with 32", vehicle, wide)
	}
	f.vehicleID, f.vehicleType = b.text(vehicle, 64), b.text(vehicle+196, 32)
	blocks := []span{{0, 1762, "head"}, {event, 1154, "event"}, {venue, 1100, "venue"}, {vehicle, 260, "vehicle"}}
	for at, previous := b.u32(8), 0; at != 0; {
		if b.u32(at) != previous {
			return f, fmt.Errorf("channel %d points back to %d, want %d", len(f.channels), b.u32(at), previous)
		}
		c := b.channel(at)
		blocks = append(blocks, span{at, 124, c.name}, span{c.dataAt, 4 * len(c.raw), "samples of " + c.name})
		f.channels = append(f.channels, c)
		previous, at = at, b.u32(at+4)
	}
	if n := b.u32(0x56); n != len(f.channels) {
		return f, fmt.Errorf("head counts %d channels, the list has %d", n, len(f.channels))
	}
	if len(f.channels) > 0 && b.u32(0xc) != f.channels[0].dataAt {
		return f, fmt.Errorf("head has the data at %d, the first channel at %d", b.u32(0xc), f.channels[0].dataAt)
	}
	return f, overlap(blocks, len(b))
}

func (b ldBytes) channel(at int) ldChan {
	c := ldChan{
		at: at, dataAt: b.u32(at + 8), id: uint16(b.u16(at + 16)), rate: b.u16(at + 22), decimals: b.i16(at + 30),
		name: b.text(at+32, 32), short: b.text(at+64, 8), unit: b.text(at+72, 12),
	}
	if b.u16(at+18) != 7 || b.u16(at+20) != 4 {
		panic("not float32")
	}
	shift, mul, scale := float64(b.i16(at+24)), float64(b.i16(at+26)), float64(b.i16(at+28))
	for i := range b.u32(at + 12) {
		raw := float64(math.Float32frombits(uint32(b.u32(c.dataAt + 4*i))))
		c.raw = append(c.raw, raw)
		c.values = append(c.values, (raw/scale*math.Pow(10, -float64(c.decimals))+shift)*mul)
	}
	return c
}

// span is a part of a file.
type span struct {
	at, size int
	name     string
}

// overlap returns an error if parts overlap or leave the file, or if bytes follow the last one.
func overlap(parts []span, size int) error {
	last := 0
	for i, a := range parts {
		last = max(last, a.at+a.size)
		for _, b := range parts[:i] {
			if a.at < b.at+b.size && b.at < a.at+a.size {
				return fmt.Errorf("%s and %s overlap", a.name, b.name)
			}
		}
	}
	if last != size {
		return fmt.Errorf("the last part ends at %d, the file at %d", last, size)
	}
	return nil
}

// ldxFile is the structure of a .ldx file.
type ldxFile struct {
	XMLName xml.Name `xml:"LDXFile"`
	Locale  string   `xml:",attr"`
	Version string   `xml:",attr"`
	Groups  []struct {
		Name    string `xml:",attr"`
		Markers []struct {
			Version   string `xml:",attr"`
			ClassName string `xml:",attr"`
			Name      string `xml:",attr"`
			Flags     string `xml:",attr"`
			Time      string `xml:",attr"`
		} `xml:"Marker"`
	} `xml:"Layers>Layer>MarkerBlock>MarkerGroup"`
	Details []struct {
		ID    string `xml:"Id,attr"`
		Value string `xml:",attr"`
	} `xml:"Layers>Details>String"`
}

// readLDX returns the times of the beacons [s] and the details.
func readLDX(text []byte) (beacons []float64, details map[string]string, err error) {
	var f ldxFile
	if err := xml.Unmarshal(text, &f); err != nil {
		return nil, nil, err
	}
	if f.Version != "1.6" || f.Locale == "" || len(f.Groups) != 1 || f.Groups[0].Name != "Beacons" {
		return nil, nil, fmt.Errorf("not a .ldx file: %+v", f)
	}
	for _, m := range f.Groups[0].Markers {
		if m.Version != "100" || m.ClassName != "BCN" || m.Flags != "77" || m.Name == "" {
			return nil, nil, fmt.Errorf("not a beacon: %+v", m)
		}
		us, err := strconv.ParseFloat(m.Time, 64)
		if err != nil {
			return nil, nil, err
		}
		beacons = append(beacons, us/1e6)
	}
	details = map[string]string{}
	for _, d := range f.Details {
		details[d.ID] = d.Value
	}
	return beacons, details, nil
}
