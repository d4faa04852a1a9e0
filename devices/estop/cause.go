package estop

// Cause is why the rig is stopped, or why the relay is off.
type Cause uint8

// The causes.
const (
	None              Cause = iota
	Starting                // no contact has been closed for long enough yet
	Opened                  // a contact is open: the switch is pressed or its cable is cut
	Disagreement            // the two contacts differed for too long
	Unreadable              // a line cannot be read any more, for example because its adapter was unplugged
	NotSampled              // a line was not sampled, or the relay not driven, for too long
	NotRenewed              // the order to switch the relay on was not renewed in time
	RelayFailed             // the relay's line cannot be written; the relay may still be on
	Closed                  // Close was called on the Switch; says nothing about a contact
	FirstStuckClosed        // the second contact opened and the first did not
	SecondStuckClosed       // the first contact opened and the second did not
)

// causes are the texts of the causes for users.
var causes = [...]string{"none", "emergency stop not seen released yet", "emergency stop pressed or its cable open",
	"the contacts of the emergency stop disagree", "the emergency stop's line cannot be read",
	"the emergency stop is not being sampled", "the enable relay was not renewed",
	"the enable relay cannot be switched", "the emergency stop was closed",
	"first contact of the emergency stop did not open with the second: welded, its cable is shorted, or the second's is cut; press and release the switch",
	"second contact of the emergency stop did not open with the first: welded, its cable is shorted, or the first's is cut; press and release the switch"}

func (c Cause) String() string {
	if int(c) < len(causes) {
		return causes[c]
	}
	return "unknown"
}
