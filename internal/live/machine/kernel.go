package machine

import (
	"fmt"
	"slices"

	"rig.example/rig/internal/kit/evdev"
)

// release is the version of a kernel, such as 6.12.48.
type release [3]int

// parseRelease returns the version at the start of the text of uname; what is missing counts as 0.
func parseRelease(text string) (r release, ok bool) {
	n, _ := fmt.Sscanf(text, "%d.%d.%d", &r[0], &r[1], &r[2])
	return r, n >= 2
}

func (r release) before(other release) bool { return slices.Compare(r[:], other[:]) < 0 }

// kernelFault is a fault in the force feedback of some kernels.
type kernelFault struct {
	check         string
	first, before release  // the kernels from first on and before the other have it
	drivers       []string // names in sysfs, as evdev.Info has them; nil: any
	vendor        evdev.ID // 0: any
	product       evdev.ID
	severalOnly   bool   // only if the wheel plays more than one effect
	what, remedy  string // without the kernel's release
}

// kernelFaults are the known faults. Sources:
//   - pidff sends the type of the effect that was created last: https://github.com/JacKeTUs/universal-pidff/pull/125,
//     fixed in 7.2-rc and not in 6.12, 6.18 and 7.1 (comments of July 2026). rig never changes direction, length or
//     trigger of an effect, so that pidff does not send that report again.
//   - RS50: https://github.com/mescon/logitech-trueforce-linux-driver/issues/53: the same driver and wheel are good with
//     Debian's 6.12.35 and 6.18.15, bad with 6.12.90 and 6.12.100.
var kernelFaults = []kernelFault{
	{
		check: "kernel-other-programs", before: release{7, 2, 0}, drivers: []string{"hid-generic", "hid-pidff", "hid-universal-pidff"}, severalOnly: true,
		what:   "confuses the kinds of effects if a program changes the direction or length of one of several; rig never does, other programs may",
		remedy: "for games that feel wrong with this wheel use kernel 7.2 or later",
	},
	{
		check: "kernel", first: release{6, 12, 90}, before: release{6, 12, 101}, vendor: 0x046d, product: 0xc276,
		what:   "gives the RS50 a force that users call worse or random",
		remedy: "start a kernel that users found good, 6.12.35 or 6.18.15, or a later one",
	},
}

// CheckKernel reports known faults of the kernel, by its release, in the force of the wheel. several is whether the
// wheel plays other effects beside the force.
func CheckKernel(kernel string, wheel evdev.Info, several bool, report Report) {
	r, ok := parseRelease(kernel)
	if !ok {
		return
	}
	for _, f := range kernelFaults {
		switch {
		case r.before(f.first) || !r.before(f.before):
		case f.drivers != nil && !slices.Contains(f.drivers, wheel.Driver):
		case f.vendor != 0 && (wheel.Vendor != f.vendor || wheel.Product != f.product):
		case f.severalOnly && !several:
		default:
			report(f.check, "kernel", fmt.Sprintf("kernel %s %s", kernel, f.what), f.remedy)
		}
	}
}
