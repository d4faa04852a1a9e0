package guard

// Origin is where an order comes from.
type Origin uint8

// The origins of orders.
const (
	Nobody        Origin = iota // no order
	ByDriver                    // a key of the window or a button of the cockpit
	BySignal                    // a signal to the process, such as that of Ctrl-C, or a line in its terminal
	ByCommand                   // another process of this machine, such as `rig stop`
	ByPage                      // the web page
	ByRaceControl               // the race control of a session
)

var originNames = [...]string{"nobody", "the driver's key or button", "a signal or the terminal", "a command", "the web page", "race control"}

// String says where the order comes from, such as "a command".
func (o Origin) String() string {
	if int(o) < len(originNames) {
		return originNames[o]
	}
	return "unknown"
}
