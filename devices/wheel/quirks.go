package wheel

// Quirks are what a wheel does otherwise than a plain one, as bits.
type Quirks uint32

// The quirks.
const (
	EightBit      Quirks = 1 << iota // levels below 256 of 32767 are not felt
	Geared                           // its gears stick: small torques turn nothing
	CompatID                         // a number it has until its driver switches it to its own
	PCMode                           // shows this number only in its PC (or PlayStation) mode
	SharedID                         // several wheels have this number
	FixedRange                       // its rotation cannot be set
	RangeOfAll                       // its driver keeps one rotation for all its wheels
	OwnGain                          // its driver has a gain of its own beside the kernel's
	NoConditions                     // the kernel's own driver offers no spring, damper or friction
	SineOnly                         // of the periodic effects, only the sine
	SignVaries                       // reports of a force the wrong way round: measure it
	StartsClock                      // an effect's time runs from its start, not from its update
	ArmTorque                        // full torque must be armed at the wheel or with its maker's tool
	PollsOrResets                    // resets itself while nobody reads it
	SleepsStill                      // gives no force until it is turned a little
	QueuesAll                        // its driver sends one report for each update, however fast they come
	NoDriver                         // no driver that is known makes its force
	ConditionSign                    // its conditions push the wrong way unless the driver knows it
	NewLG4FF                         // the kernel's own hid-lg4ff does not know it, new-lg4ff does
)

// quirkTexts are the quirks for people, in the order of their bits.
var quirkTexts = [...]string{
	"8-bit levels", "gears stick", "compatibility number", "needs its PC mode",
	"number of several wheels", "fixed rotation", "one rotation for all wheels of its driver",
	"driver has a gain of its own", "no conditions without new-lg4ff", "only sines",
	"sign of its force varies", "effects count from their start", "full torque must be armed",
	"resets while nobody reads it", "no force until it is turned", "queue without bound",
	"no force on Linux", "kernel must know the sign of its conditions", "needs new-lg4ff",
}

// Has tells whether every quirk of other is there.
func (q Quirks) Has(other Quirks) bool { return q&other == other }

// Texts names the quirks for people.
func (q Quirks) Texts() []string {
	var list []string
	for i, text := range quirkTexts {
		if q>>i&1 == 1 {
			list = append(list, text)
		}
	}
	return list
}
