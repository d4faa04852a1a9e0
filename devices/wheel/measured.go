package wheel

import (
	"fmt"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// CheckMeasured returns an error unless a program may turn the rim of a device by itself: it has force, its
// calibration says in which direction the force pushes, and its torque is known and not a guess. With the
// wrong direction the torque would grow the farther the rim turned.
func CheckMeasured(cfg Config, info evdev.Info, store calib.Store) error {
	if !info.HasForce() {
		return fmt.Errorf("wheel: %s has no force feedback; plug its power supply in, see `rig devices`", info.Name)
	}
	p, err := store.Wheel(calib.IdentityOf(info))
	if err != nil && !isNotExist(err) {
		return err
	}
	if err != nil || p.Force == 0 {
		return fmt.Errorf("wheel: the direction of the force of %s was never measured; run `rig calibrate wheel`", info.Name)
	}
	if !limitsFor(cfg, info, unknownDriverTraits, &p).isKnown {
		return fmt.Errorf("wheel: the torque of %s is not known; set wheel.full_torque_nm, or run `rig calibrate ffb`", info.Name)
	}
	return nil
}
