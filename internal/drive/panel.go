package drive

import (
	"rig.example/rig/internal/frame"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

// Mode is who works clutch or gears.
type Mode uint8

// The modes.
const (
	Auto Mode = iota // the driver, once a clutch pedal or a gear lever was used, and else the car
	On               // the car
	Off              // the driver
)

// Assists are the electronics that help when a drive begins; keys change them on the way.
type Assists struct {
	Set              assist.Switches // levels and switches
	Clutch, Shifting Mode
}

// panel is what a driver sets beside wheel and pedals: how much each assist helps, who
// works clutch and gears, and the ignition.
type panel struct {
	set              assist.Switches // levels and switches
	clutch, shifting Mode
	dark             bool // the ignition is off
	starting         bool // the starter turns
	pedal            bool // a clutch pedal was pressed: there is one, and the driver means it
	fixed            bool // the gearbox changes gears itself and leaves no choice
}

func newPanel(a Assists, gearbox string) panel {
	p := panel{set: a.Set, clutch: a.Clutch, shifting: a.Shifting}
	if gearbox == "automatic" || gearbox == "single" {
		p.clutch, p.shifting, p.fixed = On, On, true
	}
	return p
}

// mostHelp is the highest level of an assist.
const mostHelp = 10

// step obeys the keys that are down, and those of them that were not a tick ago; clutch
// is the pedal.
func (p *panel) step(down, fresh uint64, running bool, clutch float64) {
	adjust(&p.set.ABS, fresh, frame.KeyABSLess, frame.KeyABSMore)
	adjust(&p.set.Traction, fresh, frame.KeyTractionLess, frame.KeyTractionMore)
	adjust(&p.set.Stability, fresh, frame.KeyStabilityLess, frame.KeyStabilityMore)
	p.set.Pit = p.set.Pit != (fresh&frame.KeyPit != 0)
	p.set.Launch = p.set.Launch != (fresh&frame.KeyLaunch != 0)
	if fresh&frame.KeyAutoGears != 0 && !p.fixed {
		p.shifting = other(p.shifting)
	}
	p.engine(down, fresh, running, clutch)
}

// engine works ignition and starter. With the ignition on, a clutch pedal pressed to the
// floor starts an engine that stalled, as cars do that stop it at traffic lights.
func (p *panel) engine(down, fresh uint64, running bool, clutch float64) {
	const pressed, floor = 0.5, 0.9
	if fresh&frame.KeyEngine != 0 {
		p.dark = running
	}
	p.pedal = p.pedal || clutch > pressed
	p.starting = !running && !p.dark && (down&frame.KeyEngine != 0 || clutch > floor)
}

func adjust(level *uint8, fresh, less, more uint64) {
	if fresh&less != 0 && *level > 0 {
		*level--
	}
	if fresh&more != 0 && *level < mostHelp {
		*level++
	}
}

// other is who changes gears after the key for it.
func other(shifting Mode) Mode {
	if shifting == Off {
		return On
	}
	return Off
}

// apply adds to in what the panel says; manual is whether the driver changes gears.
func (p *panel) apply(in *sim.Input, manual bool) {
	in.Assists = p.set
	in.Assists.Shifting = !manual
	in.Assists.Clutch = p.worksClutch()
	in.Start, in.Off = p.starting, p.dark
}

// worksClutch reports whether the car works the clutch. Whoever changes gears by himself
// and has a clutch pedal wants to do it.
func (p *panel) worksClutch() bool {
	if p.clutch == Auto {
		return p.shifting != Off || !p.pedal
	}
	return p.clutch == On
}
