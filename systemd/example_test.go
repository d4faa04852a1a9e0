package systemd_test

import (
	"fmt"
	"os"

	"rig.example/rig/systemd"
)

// A program that no service manager started need not ask whether it is a service.
func Example() {
	os.Unsetenv("NOTIFY_SOCKET")
	fmt.Println(systemd.Ready())
	fmt.Println(systemd.Status("driving"))
	fmt.Println(systemd.Alive())
	fmt.Println(systemd.Stopping())
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// <nil>
}
