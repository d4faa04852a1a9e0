package wheel

// Quirks are peculiarities of a wheel, one bit each.
type Quirks uint32

// The quirks.
const (
	EightBit           Quirks = 1 << iota // levels below 256 of 32767 have no effect
	Geared                                // static friction of its gears: small torques do not turn it
	CompatID                              // a compatibility USB id, until a driver switches the wheel to its own id
	PCMode                                // has this USB id only in its PC or PlayStation mode
	SharedID                              // several wheels have this USB id
	FixedRange                            // its rotation cannot be set
	SharedRange                           // its driver keeps one rotation for all its wheels
	OwnDriverGain                         // its driver has its own setting `gain`, besides FF_GAIN
	NoConditions                          // the kernel's own driver offers no spring, damper or friction
	SineOnly                              // of the periodic effects, only the sine
	SignVaries                            // users report the wrong sign of its force: the sign must be measured
	TimedFromStart                        // the length of an effect counts from its start, not from its update
	NeedsArming                           // full torque must be armed at the wheel or with its maker's tool
	ResetsUnread                          // resets itself while no program reads it
	SleepsUntilTurned                     // gives no force until it is turned a little
	UnboundedQueue                        // its driver queues one report for each update, without a limit
	NoDriver                              // no known driver supports its force
	InvertedConditions                    // its conditions push the wrong way unless the driver corrects that
	NeedsNewLG4FF                         // the kernel's own hid-lg4ff does not know it, new-lg4ff does
)

// quirkTexts are the texts of the quirks for users, in the order of their bits.
var quirkTexts = [...]string{
	"8-bit levels", "static friction", "compatibility number", "needs its PC mode",
	"number of several wheels", "fixed rotation", "one rotation for all wheels of its driver",
	"driver has a gain of its own", "no conditions without new-lg4ff", "only sines",
	"sign of its force varies", "effects count from their start", "full torque must be armed",
	"resets while nobody reads it", "no force until it is turned", "queue without bound",
	"no force on Linux", "kernel must know the sign of its conditions", "needs new-lg4ff",
}

// Has reports whether all quirks of other are set.
func (q Quirks) Has(other Quirks) bool { return q&other == other }

// Texts returns the texts of the quirks for users.
func (q Quirks) Texts() []string {
	var list []string
	for i, text := range quirkTexts {
		if q>>i&1 == 1 {
			list = append(list, text)
		}
	}
	return list
}
