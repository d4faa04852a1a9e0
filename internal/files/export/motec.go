package export

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/kit/valid"
)

// Positions of the blocks of a .ld file, where MoTeC's own loggers place them. All are below 64 KiB, because the
// pointers to venue and vehicle have 16 bits. The gaps are zero, for readers that take these pointers for 32 bits.
const (
	ldVehicleAt  = 1762
	ldVenueAt    = 5078
	ldEventAt    = 8180
	ldChannelsAt = 11336
)

const (
	ldChannelSize = 124            // [B]
	ldSampleSize  = 4              // float32 [B]
	ldFirstID     = 0x2ee1         // of the first channel; the others count up
	ldMaxChannels = 65536 - 0x2ee1 // as many as there are IDs
	ldMaxDecimals = 4              // the multiplier 10^decimals must fit into an int16
	ldMaxRate     = math.MaxUint16 // [Hz]
	ldMaxSize     = math.MaxUint32 // of a file, because pointers have 32 bits [B]
	ldProLogging  = 0xc81a4        // lets i2 Pro open the file
)

// ldHead is the start of the file, 1762 bytes. The fixed numbers are those of a real logger.
type ldHead struct {
	Marker         uint32
	_              [4]byte
	Channels, Data uint32 // positions of the first channel and of its samples
	_              [20]byte
	Event          uint32
	_              [24]byte
	Fixed1         [3]uint16
	Serial         uint32
	Device         [8]byte
	Version        uint16
	Fixed2         uint16
	Count          uint32 // of channels
	_              [4]byte
	Date           [16]byte // 31/12/2006
	_              [16]byte
	Time           [16]byte // 15:04:05
	_              [16]byte
	Driver         [64]byte
	Vehicle        [64]byte
	_              [64]byte
	Venue          [64]byte
	_              [64 + 1024]byte
	ProLogging     uint32
	_              [66]byte
	Comment        [64]byte
	_              [126]byte
}

// ldEvent, ldVenue and ldVehicle form a chain from the head.
type ldEvent struct {
	Name, Session [64]byte
	Comment       [1024]byte
	Venue         uint16
}

type ldVenue struct {
	Name    [64]byte
	_       [1034]byte
	Vehicle uint16
}

type ldVehicle struct {
	ID            [64]byte
	_             [128]byte
	Weight        uint32 // [kg], 0 if unknown
	Type, Comment [32]byte
}

// ldChannel describes a channel; value = (raw/Scale·10^-Decimals + Shift)·Multiplier.
type ldChannel struct {
	Previous, Next, Data, Samples      uint32
	ID, Type, Size, Rate               uint16
	Shift, Multiplier, Scale, Decimals int16
	Name                               [32]byte
	Short                              [8]byte
	Unit                               [12]byte
	_                                  [40]byte
}

// MoTeC writes log as a .ld file of MoTeC i2, with float32 samples in MoTeC's units. Its laps go into the file of
// MoTeCLaps. Time counts from the first sample.
//
// The format has no mark for an unknown value: where a value is NaN, the last known one is held, and before the first
// known one it is 0.
func MoTeC(w io.Writer, log *drivelog.Log) error {
	if err := check(log); err != nil {
		return err
	}
	if err := checkMoTeC(log); err != nil {
		return err
	}
	return stream(w, func(out *bufio.Writer) {
		out.Write(ldStart(log))
		names := newLabels()
		block := make([]byte, ldChannelSize)
		for i := range log.Channels {
			put(block, describe(log, i, names))
			out.Write(block)
		}
		for i := range log.Channels {
			writeSamples(out, &log.Channels[i])
		}
	})
}

// checkMoTeC returns an error if log does not fit into a .ld file.
func checkMoTeC(log *drivelog.Log) error {
	n := uint64(len(log.Channels))
	if log.Rate > ldMaxRate || log.Rate != math.Trunc(log.Rate) {
		return fmt.Errorf("export: rate is %g Hz: MoTeC files need a whole number from 1 to %d; choose another rate", log.Rate, ldMaxRate)
	}
	if n > ldMaxChannels {
		return fmt.Errorf("export: %d channels: a MoTeC file holds at most %d; choose fewer", n, ldMaxChannels)
	}
	if size := ldDataAt(log) + n*uint64(log.Len())*ldSampleSize; size > ldMaxSize {
		return fmt.Errorf("export: the MoTeC file would have %.1f GiB: must be less than 4; choose fewer channels, a lower rate or a shorter part",
			float64(size)/(1<<30))
	}
	return nil
}

// ldDataAt returns the position of the first sample.
func ldDataAt(log *drivelog.Log) uint64 {
	return ldChannelsAt + uint64(len(log.Channels))*ldChannelSize
}

// ldStart returns what stands before the channels.
func ldStart(log *drivelog.Log) []byte {
	head := ldHead{
		Marker: 0x40, Channels: ldChannelsAt, Data: uint32(ldDataAt(log)), Event: ldEventAt,
		Fixed1: [3]uint16{1, 0x4240, 0xf}, Serial: 0x1f44, Version: 420, Fixed2: 0xadb0,
		Count: uint32(len(log.Channels)), ProLogging: ldProLogging,
	}
	began := time.Unix(0, 0).UTC()
	if !log.Began.IsZero() {
		began = log.Began.Add(time.Duration(log.Start * float64(time.Second)))
	}
	putText(head.Device[:], "ADL")
	putText(head.Date[:], began.Format("02/01/2006"))
	putText(head.Time[:], began.Format("15:04:05"))
	putText(head.Vehicle[:], log.Car)
	putText(head.Venue[:], log.Track)
	putText(head.Comment[:], "rig")

	event := ldEvent{Venue: ldVenueAt}
	putText(event.Name[:], log.Track)
	putText(event.Comment[:], "Exported by rig")
	venue := ldVenue{Vehicle: ldVehicleAt}
	putText(venue.Name[:], log.Track)
	var vehicle ldVehicle
	putText(vehicle.ID[:], log.Car)
	putText(vehicle.Type[:], log.Car)

	start := make([]byte, ldChannelsAt)
	put(start, &head)
	put(start[ldEventAt:], &event)
	put(start[ldVenueAt:], &venue)
	put(start[ldVehicleAt:], &vehicle)
	return start
}

// put encodes block at the beginning of b, which must be long enough.
func put(b []byte, block any) {
	if _, err := binary.Encode(b, binary.LittleEndian, block); err != nil {
		panic(err)
	}
}

// putText puts s as ASCII into a field and leaves a zero at its end.
func putText(field []byte, s string) { copy(field[:len(field)-1], ascii(s)) }

// describe returns the block of channel i.
//
// Decimals tells i2 how many to show, and it also divides; the multiplier makes up for that. So a reader that scales
// float samples and one that does not find the same values.
func describe(log *drivelog.Log, i int, names *labels) *ldChannel {
	c := &log.Channels[i]
	decimals := min(max(c.Decimals, 1), ldMaxDecimals)
	block := &ldChannel{
		Data:    uint32(ldDataAt(log)) + uint32(i*log.Len()*ldSampleSize),
		Samples: uint32(log.Len()),
		ID:      uint16(ldFirstID + i), Type: 7, Size: ldSampleSize, Rate: uint16(log.Rate),
		Multiplier: int16(math.Pow10(decimals)), Scale: 1, Decimals: int16(decimals),
	}
	if at := uint32(ldChannelsAt + i*ldChannelSize); i > 0 {
		block.Previous = at - ldChannelSize
	}
	if i+1 < len(log.Channels) {
		block.Next = uint32(ldChannelsAt + (i+1)*ldChannelSize)
	}
	name, short := names.next(c)
	putText(block.Name[:], name)
	putText(block.Short[:], short)
	putText(block.Unit[:], motecUnitOf(c).name)
	return block
}

// writeSamples writes the samples of c in MoTeC's unit.
func writeSamples(out *bufio.Writer, c *drivelog.Channel) {
	unit := motecUnitOf(c)
	held := 0.0
	for _, v := range c.Values {
		if !math.IsNaN(v) {
			held = valid.Clamp(v*unit.factor+unit.offset, -math.MaxFloat32, math.MaxFloat32)
		}
		out.Write(binary.LittleEndian.AppendUint32(out.AvailableBuffer(), math.Float32bits(float32(held))))
	}
}
