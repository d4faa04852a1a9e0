package analog

import (
	"reflect"
	"testing"
	"testing/fstest"
)

func TestBusesTellWhatIsOnThem(t *testing.T) {
	class := fstest.MapFS{
		"i2c-0/name": {Data: []byte("SMBus I801 adapter\n")},
		"i2c-7/name": {Data: []byte("CP2112 SMBus Bridge on hidraw0\n")},
		"other/name": {Data: []byte("no bus\n")},
	}
	list := ADCs{{Axis: "throttle", Bus: "CP2112"}, {Axis: "brake", Bus: "7", Chip: "ads1015", Address: 0x49}, {Axis: "clutch", Chip: "hx711"}, {Axis: "handbrake", Bus: "9"}}
	want := []Bus{
		{Path: "/dev/i2c-0", Name: "SMBus I801 adapter"},
		{Path: "/dev/i2c-7", Name: "CP2112 SMBus Bridge on hidraw0", Uses: []string{"throttle (ads1115 at 0x48)", "brake (ads1015 at 0x49)"}},
	}
	if got := buses(class, list); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestChipsGroupTheirPedals(t *testing.T) {
	list := ADCs{{Axis: "throttle"}, {Axis: "brake", Chip: "hx711", Clock: "a", Data: "b"}, {Axis: "clutch", Channel: "1"}}
	if got, want := list.Chips(), [][]string{{"throttle", "clutch"}, {"brake"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
