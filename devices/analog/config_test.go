package analog

import (
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"periph.io/x/conn/v3/analog"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/valid"
)

func TestADCConfigNamesWhatIsWrong(t *testing.T) {
	hx := ADC{Axis: "brake", Chip: "hx711", Clock: "gpiochip0:5", Data: "GPIO6"}
	with := func(a ADC, change func(*ADC)) ADCs { change(&a); return ADCs{a} }
	tests := []struct {
		name string
		list ADCs
		says string // "" is valid
	}{
		{"two potentiometers", twoPots, ""},
		{"an HX711", ADCs{hx}, ""},
		{"a bridge on an ADS1115", ADCs{{Axis: "brake", Channel: "0-1", Gain: 16, Rate: 860}}, ""},
		{"axis", ADCs{{Axis: "horn"}}, `axis = "horn"`},
		{"chip", ADCs{{Axis: "brake", Chip: "mcp3008"}}, `chip = "mcp3008": must be ads1115, ads1015 or hx711`},
		{"address", ADCs{{Axis: "brake", Address: 0x20}}, "address = 0x20: must be 0x48 to 0x4b"},
		{"channel", ADCs{{Axis: "brake", Channel: "4"}}, `channel = "4": must be 0 to 3, 0-1, 0-3, 1-3 or 2-3`},
		{"gain", ADCs{{Axis: "brake", Gain: 3}}, "gain = 3: must be 0.667, 1, 2, 4, 8 or 16"},
		{"rate", ADCs{{Axis: "brake", Rate: math.NaN()}}, "rate_hz"},
		{"stale within a sample", ADCs{{Axis: "brake", StaleAfter: 0.001}}, "stale_s"},
		{"one axis twice", ADCs{twoPots[0], twoPots[0]}, "throttle is on adc 1"},
		{"too fast together", ADCs{{Axis: "throttle", Rate: 500}, {Axis: "brake", Rate: 500, Channel: "1"}}, "lower rate_hz"},
		{"uneven rates", ADCs{{Axis: "throttle", Rate: 50}, {Axis: "brake", Rate: 60, Channel: "1"}}, "the same"},
		{"HX711 channel", with(hx, func(a *ADC) { a.Channel = "b" }), "channel \"b\" has no gain 128"},
		{"HX711 channel b", with(hx, func(a *ADC) { a.Channel, a.Gain = "B", 32 }), ""},
		{"HX711 line", with(hx, func(a *ADC) { a.Data = "" }), "data_line"},
		{"one channel twice", ADCs{{Axis: "throttle"}, {Axis: "brake"}}, "channel 0 of the ads1115 at 0x48 on I2C bus 1 is throttle already"},
		{"one channel of one bus under two names", ADCs{{Axis: "throttle", Bus: "i2c-1"}, {Axis: "brake", Bus: "/dev/i2c-1"}}, "channel 0 of the ads1115 at 0x48 on I2C bus 1 is throttle already"},
		{"HX711 clock of another", ADCs{hx, with(hx, func(a *ADC) { a.Axis, a.Data = "clutch", "GPIO7" })[0]}, "clock_line or data_line is one of adc 1's"},
		{"HX711 on one line", with(hx, func(a *ADC) { a.Data = a.Clock }), "data_line is clock_line too"},
		{"HX711 with an address", with(hx, func(a *ADC) { a.Address = 0x49 }), "bus and address"},
		{"ADS with lines", ADCs{{Axis: "brake", Clock: "GPIO5"}}, "clock_line"},
		{"ends that are one", ADCs{{Axis: "brake", Rest: 5, Press: 5}}, "press_counts = 5"},
		{"two axes on an HX711", ADCs{hx, with(hx, func(a *ADC) { a.Axis = "clutch" })[0]}, "one axis"},
	}
	for _, c := range tests {
		err := c.list.Validate()
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		}
	}
	if _, err := New(ADCs{{Axis: "brake"}}, axis.Shapes{}, calib.Store{}, quiet()); !errors.Is(err, calib.ErrNoTravel) {
		t.Errorf("without rest and press: %v", err)
	}
}

// A profile goes before the configuration; procedures can write one.
func TestADCProfile(t *testing.T) {
	store := calib.Store{Dir: t.TempDir()}
	src, err := openSource(twoPots, "brake", func(axes []ADC) (chip, error) {
		var pins []analog.PinADC
		for i := range axes {
			pins = append(pins, &dial{raw: int32(100 * (i + 1))})
		}
		return chip{pins, func() error { return nil }}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	axes, raw := src.Axes(), make([]int32, 2)
	if err := src.Next(raw); err != nil || raw[0] != 100 || raw[1] != 200 {
		t.Errorf("snapshot %v, %v", raw, err)
	}
	if len(axes) != 2 || axes[1].Name != "ABS_BRAKE" || axes[1].Max != 26400 {
		t.Errorf("axes %+v", axes)
	}
	_, err = store.SavePedals(calib.PedalsProfile{
		Version: calib.ProfileVersion, Device: src.Device(),
		Brake: &calib.Axis{Code: axes[1].Name, Rest: 2000, Press: 3000},
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(twoPots, axis.Shapes{}, store, quiet())
	if err != nil {
		t.Fatal(err)
	}
	if b, g := a.channels[axis.Brake].ends, a.channels[axis.Throttle].ends; b.Rest != 2000 || b.Press != 3000 || g.Rest != 1000 || g.Press != 21000 {
		t.Errorf("brake %+v, throttle %+v", b, g)
	}
	if _, err := openSource(twoPots, "clutch", nil); err == nil {
		t.Error("a pedal on no converter was opened")
	}
}

// What is valid can be sampled: the chip has the input, and the rails leave room.
func FuzzADC(f *testing.F) {
	f.Add("ads1115", "0-1", "CP2112", 0x48, 16.0, 250.0, 3.3, 0.05)
	f.Add("HX711", "b", "", 0, 32.0, 80.0, 0.0, 0.0)
	f.Add("ads1015", "3", "/dev/i2c-1", 0x4b, 0.667, 3300.0, 5.5, 2.0)
	f.Fuzz(func(t *testing.T, chip, channel, bus string, address int, gain, rate, supply, stale float64) {
		list := ADCs{{Axis: "brake", Chip: chip, Channel: channel, Bus: bus, Address: address, Gain: gain, Rate: rate,
			Supply: supply, StaleAfter: stale, Clock: "gpiochip0:5", Data: "gpiochip0:6", Rest: 1, Press: 2}}
		if list.Validate() != nil {
			return
		}
		a := list[0].withDefaults()
		if again := a.withDefaults(); again != a {
			t.Fatalf("settled twice: %+v, then %+v", a, again)
		}
		if h := newSignalCheck(a); h.low >= h.high {
			t.Fatalf("%+v: rails at %d and %d", a, h.low, h.high)
		}
		if low, high := a.usedRange(); low >= high {
			t.Fatalf("%+v: reach %d..%d", a, low, high)
		}
		if _, err := New(list, axis.Shapes{}, calib.Store{}, quiet()); err != nil {
			t.Fatal(err)
		}
		if a.Chip == chipHX711 {
			return
		}
		if _, err := adsPins(&slowADS{}, []ADC{a}); err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
	})
}

// The range tag of gain, which the reference shows, has the gains of all chips.
func TestGainsAreThoseOfTheTag(t *testing.T) {
	field, _ := reflect.TypeFor[ADC]().FieldByName("Gain")
	tag, err := valid.ParseRange(field.Tag.Get("range"))
	if err != nil {
		t.Fatal(err)
	}
	var inTag []float64
	for _, a := range tag[1:] { // the first is 0, the chip's own
		inTag = append(inTag, a.Low)
	}
	gains := slices.Collect(maps.Keys(adsRanges))
	for mode := range hxModes {
		gain, err := strconv.ParseFloat(mode[1:], 64)
		if err != nil {
			t.Fatal(err)
		}
		gains = append(gains, gain)
	}
	slices.Sort(gains)
	if !slices.Equal(gains, inTag) {
		t.Errorf("the chips have the gains %v, the tag %v", gains, inTag)
	}
}
