package drive

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

// Mode says who operates the clutch or the gears.
type Mode uint8

// The modes.
const (
	Auto Mode = iota // automatic until the driver uses the clutch pedal or a gear lever
	On               // always automatic
	Off              // always the driver
)

// Assists are the initial driving aids; keys change them during the drive.
type Assists struct {
	Set              assist.Switches // levels and switches
	Clutch, Shifting Mode            // who operates the clutch, and who changes gears
}

// panel holds the driver's settings: levels of the driving aids, who operates clutch and gears, and the
// ignition.
type panel struct {
	aids             assist.Switches // levels and switches of the driving aids
	clutch, shifting Mode            // who operates the clutch, and who changes gears
	ignitionOff      bool            // the ignition is off
	starting         bool            // the starter motor turns
	pedalUsed        bool            // the clutch pedal was pressed at least once, so the driver has one
	gearboxShifts    bool            // the car's gearbox is an automatic, or has one gear
}

func newPanel(a Assists, gearbox string) panel {
	p := panel{aids: a.Set, clutch: a.Clutch, shifting: a.Shifting}
	if gearbox == "automatic" || gearbox == "single" {
		p.clutch, p.shifting, p.gearboxShifts = On, On, true
	}
	return p
}

// maxLevel is the highest level of a driving aid.
const maxLevel = 10

// step applies the keys that are down and those just pressed; clutch is the pedal, 0..1.
func (p *panel) step(down, justPressed uint64, running bool, clutch float64) {
	stepLevel(&p.aids.ABS, justPressed, frame.KeyABSLess, frame.KeyABSMore)
	stepLevel(&p.aids.Traction, justPressed, frame.KeyTractionLess, frame.KeyTractionMore)
	stepLevel(&p.aids.Stability, justPressed, frame.KeyStabilityLess, frame.KeyStabilityMore)
	p.aids.PitLimiter = p.aids.PitLimiter != (justPressed&frame.KeyPit != 0)
	p.aids.Launch = p.aids.Launch != (justPressed&frame.KeyLaunch != 0)
	if justPressed&frame.KeyAutoGears != 0 && !p.gearboxShifts {
		p.shifting = toggledMode(p.shifting)
	}
	p.stepIgnition(down, justPressed, running, clutch)
}

// stepIgnition operates ignition and starter. With the ignition on, pressing the clutch pedal to the
// floor restarts a stalled engine, as a start-stop system does.
func (p *panel) stepIgnition(down, justPressed uint64, running bool, clutch float64) {
	const halfway, floor = 0.5, 0.9
	if justPressed&frame.KeyEngineStartStop != 0 {
		p.ignitionOff = running
	}
	p.pedalUsed = p.pedalUsed || clutch > halfway
	p.starting = !running && !p.ignitionOff && (down&frame.KeyEngineStartStop != 0 || clutch > floor)
}

// stepLevel lowers or raises a level by a key that was just pressed.
func stepLevel(level *uint8, justPressed, less, more uint64) {
	if justPressed&less != 0 && *level > 0 {
		*level--
	}
	if justPressed&more != 0 && *level < maxLevel {
		*level++
	}
}

// toggledMode returns who changes gears after the key was pressed.
func toggledMode(shifting Mode) Mode {
	if shifting == Off {
		return On
	}
	return Off
}

// ShiftingChanged returns who changes gears, and whether the driver has changed that by the key.
func (d *Drive) ShiftingChanged() (Mode, bool) {
	initial := newPanel(d.Setup.Assists, d.Setup.Car.Params().Driveline.Gearbox.Kind)
	return d.State.Cockpit.panel.shifting, d.State.Cockpit.panel.shifting != initial.shifting
}

// apply adds the panel's settings to in; manual says that the driver changes gears.
func (p *panel) apply(in *sim.Input, manual bool) {
	in.Assists = p.aids
	in.Assists.AutoShift = !manual
	in.Assists.AutoClutch = p.automaticClutch()
	in.Starter, in.IgnitionOff = p.starting, p.ignitionOff
}

// automaticClutch reports whether the car operates the clutch. In mode Auto a driver who shifts and has
// a clutch pedal operates it.
func (p *panel) automaticClutch() bool {
	if p.clutch == Auto {
		return p.shifting != Off || !p.pedalUsed
	}
	return p.clutch == On
}
