package wheel

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// Every number's row must be one that a wheel can be driven by.
func TestModelsAreSound(t *testing.T) {
	names := map[string]bool{}
	for id, m := range modelTable {
		switch {
		case m.Name == "" || names[m.Name]:
			t.Errorf("%s:%s: the name %q is empty or taken", id[0], id[1], m.Name)
		case familyTable[m.Family].effects == "":
			t.Errorf("%s: no family %q", m.Name, m.Family)
		case !(m.DefaultDeg >= 180 && m.DefaultDeg <= 1080):
			t.Errorf("%s: default rotation %g", m.Name, m.DefaultDeg)
		case m.MaxDeg > 0 && (m.DefaultDeg < m.MinDeg || m.DefaultDeg > m.MaxDeg):
			t.Errorf("%s: default rotation %g is not in %g..%g", m.Name, m.DefaultDeg, m.MinDeg, m.MaxDeg)
		case !(m.RatedNm > 0 && m.RatedNm <= m.FullNm && m.FullNm <= 32):
			t.Errorf("%s: rated %g, full %g N·m", m.Name, m.RatedNm, m.FullNm)
		case m.Quirks.Has(FixedRange) && m.MinDeg != m.MaxDeg:
			t.Errorf("%s: a fixed rotation of %g..%g", m.Name, m.MinDeg, m.MaxDeg)
		case m.Torque == Estimated && m.RatedNm > unknownRatedNm+3:
			t.Errorf("%s: %g N·m for an estimate is not mild", m.Name, m.RatedNm)
		case m.Quirks.Has(CompatID) && m.RatedNm > 1:
			t.Errorf("%s: %g N·m before it is switched", m.Name, m.RatedNm)
		}
		if (switchers[id] != "") != m.Quirks.Has(CompatID) {
			t.Errorf("%s: switched by %q", m.Name, switchers[id])
		}
		names[m.Name] = true
	}
	if len(modelTable) < 60 {
		t.Errorf("only %d wheels", len(modelTable))
	}
}

func TestPaddlesAreButtons(t *testing.T) {
	for _, m := range modelTable {
		for _, p := range m.Paddles {
			for _, b := range []string{p.Up, p.Down} {
				if _, err := evdev.KeyCode(b); err != nil {
					t.Errorf("%s: %v", m.Name, err)
				}
			}
		}
	}
}

func TestEveryQuirkHasAText(t *testing.T) {
	var all Quirks
	for _, m := range modelTable {
		all |= m.Quirks
	}
	if n := len(quirkTexts); Quirks(1)<<(n-1) != NeedsNewLG4FF {
		t.Errorf("%d texts, and the last quirk is %b", n, NeedsNewLG4FF)
	}
	if want := Quirks(1)<<len(quirkTexts) - 1; all != want {
		t.Errorf("quirks that no wheel has: %q", (want &^ all).Texts())
	}
}

// Numbers written down anew, from the sources that table.go names.
func TestKnownNumbers(t *testing.T) {
	tests := []struct {
		vendor, product evdev.ID
		name            string
		family          Family
		maxDeg, full    float64
		hz              float64
	}{
		{0x046d, 0xc24f, "Logitech G29", LG4FF, 900, 2.2, 1000. / 3},
		{0x046d, 0xc262, "Logitech G920", HIDPP, 900, 2.2, 100},
		{0x044f, 0xb677, "Thrustmaster T150", T150, 1080, 2.5, 125},
		{0x044f, 0xb696, "Thrustmaster T128, T248 and T818", TMFF2, 900, 10, 125},
		{0x0eb7, 0x0007, "Fanatec Podium DD2", Fanatec, 2520, 25, 500},
		{0x346e, 0x0004, "Moza R5", Universal, 0, 5.5, 500},
		{0x16d0, 0x0d60, "Simucube 2 Pro", PID, 0, 25, 500},
		{0x2433, 0xf303, "Asetek La Prima", Universal, 0, 12, 500},
		{0x0483, 0xa355, "VRS DirectForce Pro", Universal, 0, 20, 500},
		{0x0483, 0x0522, "Simagic M10, Alpha Mini, Alpha and Alpha Ultimate", Simagic, 2520, 23, 500},
		{0x044f, 0xb65e, "Thrustmaster T500RS", NoFamily, 0, 4, 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			m, ok := LookupModel(c.vendor, c.product)
			if !ok || m.Name != c.name || m.Family != c.family || m.MaxDeg != c.maxDeg || m.FullNm != c.full || math.Abs(rateHz(m.Family)-c.hz) > 1e-9 {
				t.Errorf("got %+v at %g Hz", m, rateHz(m.Family))
			}
		})
	}
	if m, ok := LookupModel(0x1209, 1); ok {
		t.Errorf("a number for tests is %q", m.Name)
	}
}

func TestFamiliesAreDriven(t *testing.T) {
	for f, facts := range familyTable {
		for _, d := range facts.drivers {
			if _, ok := driverTable[d]; !ok {
				t.Errorf("%s: how to feed %q is not known", f, d)
			}
		}
	}
}

// A number of several wheels is driven as if it were the strongest, and asked
// for what the mildest can do: whichever it is, never more comes out.
func TestSharedNumbersAreMild(t *testing.T) {
	info := evdev.Info{Vendor: 0x044f, Product: 0xb696, FFEffects: []string{"FF_CONSTANT"}}
	l := limitsFor(Config{MaxTorque: 50, MaxSlew: 1}, info, driverTable["tmff2"], &signed)
	if l.full != 10 || l.rated != 2 || len(l.notes) != 1 || !strings.Contains(l.notes[0], "full_torque_nm") {
		t.Errorf("got %+v", l)
	}
	l = limitsFor(Config{MaxTorque: 50, MaxSlew: 1, FullNm: 3}, info, driverTable["tmff2"], &signed)
	if l.full != 3 || l.rated != 3 || len(l.notes) != 0 {
		t.Errorf("configured: got %+v", l)
	}
}

// What ff-memless has only uploaded may wait for its timer for as long as uploads come.
func TestForcesThatWouldWaitForATimerArePlayed(t *testing.T) {
	for name, d := range driverTable {
		if d.memless && !d.playEach {
			t.Errorf("%s stands on ff-memless and does not play each force", name)
		}
	}
	if d := driverTable["logitech"]; !d.memless {
		t.Error("hid-lg4ff stands on ff-memless")
	}
	if unknownDriverTraits.memless && !unknownDriverTraits.playEach {
		t.Error("an unknown driver may stand on ff-memless, and its forces are not played")
	}
}

// A wheel whose sign varies is never trusted to a driver's sign.
func TestSignThatVariesIsMeasured(t *testing.T) {
	info := evdev.Info{Vendor: 0x0eb7, Product: 0x0e03, FFEffects: []string{"FF_CONSTANT"}}
	l := limitsFor(Config{MaxTorque: 50, MaxSlew: 1}, info, driverTraits{sign: -1}, &calib.WheelProfile{})
	if l.rated != unsignedRatedNm || l.sign != 1 {
		t.Errorf("got %+v, want at most %g N·m", l, unsignedRatedNm)
	}
}

func TestNotesSayWhatToDo(t *testing.T) {
	tests := []struct {
		name string
		info evdev.Info
		says []string
	}{
		{"unknown", evdev.Info{Vendor: 0x1234, Product: 0xabcd, FFEffects: []string{"FF_CONSTANT"}}, []string{"1234:abcd", "docs/wheels.md", "wheel.full_torque_nm"}},
		{"not switched yet", evdev.Info{Vendor: 0x046d, Product: 0xc267, Driver: "hid-generic"}, []string{"compatibility mode", "new-lg4ff"}},
		{"another driver", evdev.Info{Vendor: 0x044f, Product: 0xb689, Driver: "hid-generic"}, []string{"github.com/Kimplul/hid-tmff2"}},
		{"its own driver", evdev.Info{Vendor: 0x046d, Product: 0xc24f, Driver: "logitech"}, []string{"power supply"}},
		{"no driver at all", evdev.Info{Vendor: 0x044f, Product: 0xb65e, Driver: "hid-generic"}, []string{"no driver for it is known"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Join(limitsFor(DefaultConfig(), c.info, unknownDriverTraits, &signed).notes, " ")
			for _, s := range c.says {
				if !strings.Contains(text, s) {
					t.Errorf("%q does not say %q", text, s)
				}
			}
		})
	}
}

var signed = calib.WheelProfile{Force: 1}

// rateHz returns how many updates a second the driver of a family takes, 0 if it has none.
func rateHz(f Family) float64 {
	names := familyTable[f].drivers
	if len(names) == 0 {
		return 0
	}
	return 1 / driverTable[names[0]].updatePeriod.Seconds()
}
