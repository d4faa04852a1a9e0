package template

import (
	"encoding/hex"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// Bytes that the makers' own documents give as examples, and the check values that the catalog of
// CRCs gives for "123456789" (https://reveng.sourceforge.io/crc-catalogue/all.htm).
func TestTemplateSendsWhatTheMakersPublish(t *testing.T) {
	sabertooth := Config{Bits: 8, High: []int{127}}
	maestro := Config{Bits: 14, Low: []int{4000}, High: []int{8000}} // quarters of a microsecond
	jrk := Config{Bits: 12}
	byte8 := Config{Bits: 8}
	tests := []struct {
		name   string
		cfg    Config
		output []string
		at     wire.Legs
		want   string // hex
	}{
		// Sabertooth user guide, Mode 4: "Address: 130, Command: 0, Data: 64, Checksum: 66".
		{"Sabertooth, drive forward at half speed", sabertooth, []string{"<130><0><Axis1a><Sum7>"}, wire.Legs{0.5}, "82004042"},
		// Its commands 6 and 7, drive motor 1 and 2 with 7 bits: 64 stops, 127 is full speed forward.
		{"Sabertooth, two packets with a checksum each", sabertooth, []string{"<128><6><Axis1a><Sum7>", "<128><7><Axis2a><Sum7>"}, wire.Legs{0.5, 1}, "80064046" + "80077f06"},
		// Pololu Maestro user's guide, 5.e, Set Target: channel 2 to 1500 µs.
		{"Maestro, 1500 µs", maestro, []string{"<132><2><Axis1a:0-6><Axis1a:7-13>"}, wire.Legs{0.5}, "8402702e"},
		// As above, Set Multiple Targets: two from channel 3 on.
		{"Maestro, two at once", maestro, []string{"<159><2><3><Axis1a:0-6><Axis1a:7-13><Axis2a:0-6><Axis2a:7-13>"}, wire.Legs{0.5, 0.5}, "9f0203" + "702e" + "702e"},
		// Pololu jrk user's guide, 4.e, Set Target High Resolution: 3229.
		{"Jrk, 3229", jrk, []string{"<Axis1a:0-4+192><Axis1a:5-11>"}, wire.Legs{3229.0 / 4095}, "dd64"},
		{"Jrk, 3229 by the Pololu protocol", jrk, []string{"<170><11><Axis1a:0-4+64><Axis1a:5-11>"}, wire.Legs{3229.0 / 4095}, "aa0b5d64"},
		{"CRC-8 of SMBus", byte8, []string{"<Axis1a><Begin>123456789<Crc8>"}, wire.Legs{}, "00" + "313233343536373839" + "f4"},
		{"CRC-16 of Modbus", byte8, []string{"<Axis1a><Begin>123456789<Crc16>"}, wire.Legs{}, "00" + "313233343536373839" + "374b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.cfg
			c.Takes, c.Format, c.ByteOrder, c.Output = TakesLegs, formatBinary, orderBig, tt.output
			if got := hex.EncodeToString(templateOf(t, c).AppendTarget(nil, &tt.at)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
