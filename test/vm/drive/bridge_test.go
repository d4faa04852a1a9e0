package drive

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/vm/ads1115"
	"rig.example/rig/test/vm/cp2112"
	"rig.example/rig/test/vm/mono"
)

const converterTables = `
[[pedals.adc]]
axis = "throttle"
bus = "CP2112"
channel = "0"
rest_counts = 4000
press_counts = 20000
[[pedals.adc]]
axis = "brake"
bus = "CP2112"
channel = "1"
rest_counts = 4000
press_counts = 20000
[pedals]
device = "none of USB"
`

// volts returns the voltage for a fraction of the pedals' travel, at a gain of 1.
func volts(share float64) float64 { return (4000 + 16000*share) * 4.096 / 0x8000 }

// converter plugs in a bridge with an analog-to-digital converter whose two pedals are released.
func converter(t *testing.T) (*cp2112.Bridge, *ads1115.Chip) {
	t.Helper()
	bridge, err := cp2112.New("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bridge.Unplug)
	if _, err := bridge.I2C(); err != nil {
		t.Fatal(err)
	}
	chip := ads1115.New()
	chip.SetVolts(0, volts(0))
	chip.SetVolts(1, volts(0))
	bridge.Connect(0x48, chip)
	return bridge, chip
}

func TestPedalsOnAConverter(t *testing.T) {
	b := cockpit(t, nil)
	bridge, chip := converter(t)
	b.add(converterTables)
	b.run()
	b.until("pedals", 3*time.Second, func(f frame.Frame) bool { return f.Flags&frame.PedalsPresent != 0 && f.Brake == 0 })
	at := mono.Now()
	chip.SetVolts(0, volts(0.5))
	b.until("half throttle", time.Second, func(f frame.Frame) bool { return f.Throttle > 0.49 && f.Throttle < 0.51 })
	t.Logf("figure: pedal on a converter: in the frame after %v", mono.Now()-at)
	at = mono.Now()
	chip.SetVolts(0, 0) // a broken wire
	b.until("throttle 0 and a gentle brake", time.Second, func(f frame.Frame) bool { return f.Throttle == 0 && f.Brake >= 0.2 })
	t.Logf("figure: broken wire: throttle 0 after %v", mono.Now()-at)
	chip.SetVolts(0, volts(0.5))
	b.until("half throttle again", 2*time.Second, func(f frame.Frame) bool { return f.Throttle > 0.49 && f.Brake == 0 })
	at = mono.Now()
	bridge.Connect(0x48, nil)
	b.until("throttle 0 without the chip", time.Second, func(f frame.Frame) bool { return f.Throttle == 0 && f.Brake >= 0.2 })
	t.Logf("figure: converter disconnected from its bus: throttle 0 after %v", mono.Now()-at)
	bridge.Connect(0x48, chip)
	chip.SetVolts(0, volts(0))
	b.until("the converter is back", 8*time.Second, func(f frame.Frame) bool { return f.Flags&frame.PedalsPresent != 0 && f.Brake == 0 })
	chip.SetVolts(0, volts(0.5))
	b.until("half throttle with it", time.Second, func(f frame.Frame) bool { return f.Throttle > 0.49 && f.Brake == 0 })
	b.finish()
}

// Pedals on a converter are calibrated like others, and their profile replaces the limits in the configuration.
func TestCalibratedConverterIsUsed(t *testing.T) {
	b := cockpit(t, nil)
	_, chip := converter(t)
	b.add(converterTables)
	const released, pressed = 0.125, 0.875 // 6000 and 18000 counts
	chip.SetVolts(0, volts(released))
	chip.SetVolts(1, volts(released))
	foot := func(line string) {
		for input, name := range []string{"throttle", "brake"} {
			if !strings.Contains(line, "Next: the "+name) {
				continue
			}
			for share := released; share < pressed; share += 0.05 {
				chip.SetVolts(input, volts(share))
				time.Sleep(20 * time.Millisecond)
			}
			chip.SetVolts(input, volts(pressed))
			time.Sleep(300 * time.Millisecond)
			chip.SetVolts(input, volts(released))
		}
	}
	var c calibrated
	decode(t, b.rig(foot, "calibrate", "pedals", "--pedal", "throttle,brake", "--yes", "--json", "--rest", "500ms", "--window", "10s"), &c)
	gas, brake := c.Profile.Throttle, c.Profile.Brake
	if gas == nil || brake == nil || gas.Rest != 6000 || gas.Press != 18000 || brake.Rest != 6000 || brake.Press != 18000 {
		t.Fatalf("throttle %+v, brake %+v; want both from 6000 to 18000", gas, brake)
	}
	b.run()
	b.until("released pedals", 3*time.Second, func(f frame.Frame) bool {
		return f.Flags&frame.PedalsPresent != 0 && f.Throttle == 0 && f.Brake == 0
	})
	for input, of := range []func(frame.Frame) float64{
		func(f frame.Frame) float64 { return f.Throttle }, func(f frame.Frame) float64 { return f.Brake },
	} {
		chip.SetVolts(input, volts(0.5))
		b.until(fmt.Sprintf("pedal %d half way", input), time.Second, func(f frame.Frame) bool { return of(f) > 0.49 && of(f) < 0.51 })
		chip.SetVolts(input, volts(released))
	}
	b.finish()
}

// checked holds the findings of `rig check` by place, each with its level.
func (b *bench) checked() map[string]string {
	b.t.Helper()
	var got struct {
		Problems []struct{ Level, Where, What string }
	}
	decode(b.t, b.rig(nil, "check", "--json"), &got)
	found := map[string]string{}
	for _, p := range got.Problems {
		found[p.Where] += p.Level + ": " + p.What + "\n"
	}
	return found
}

// `rig check` reads the stop switch and the converter, and reports faults.
func TestCheckReadsSwitchAndConverter(t *testing.T) {
	b := cockpit(t, nil)
	bridge, chip := converter(t)
	b.add(converterTables + stopTable)
	if _, err := bridge.GPIO(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		set      func()
		estop    string // in what is found; "" for nothing found
		pedals   string
		contactA bool // closed
		contactB bool
	}{
		{name: "all fine", contactA: true, contactB: true},
		{name: "pressed, and the throttle's wire broken", set: func() { chip.SetVolts(0, 0) },
			estop:  "warning: emergency stop pressed or its cable open",
			pedals: "warning: throttle on ads1115 at 0x48 on I2C bus CP2112, channel 0: counts at or beyond 264 or 26136: a broken wire"},
		{name: "the second contact alone open, and no converter", contactA: true, set: func() { bridge.Connect(0x48, nil) },
			estop:  "warning: first contact of the emergency stop did not open with the second",
			pedals: "check its wires and address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bridge.SetInput(contactA, tt.contactA)
			bridge.SetInput(contactB, tt.contactB)
			if tt.set != nil {
				tt.set()
			}
			found := b.checked()
			for where, want := range map[string]string{"estop": tt.estop, "pedals": tt.pedals} {
				if got := found[where]; (want == "") != (got == "") || !strings.Contains(got, want) {
					t.Errorf("%s: found %q, want %q", where, got, want)
				}
			}
			if powered(bridge) {
				t.Error("the check switched the relay on")
			}
		})
	}
}
