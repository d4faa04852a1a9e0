package check

import (
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivers"
)

// checkDriver reports what is wrong with the profile of who drives, or with the driver's records.
func (s *scene) checkDriver() {
	if s.driverErr != nil {
		for _, fault := range config.Faults(s.driverErr) {
			s.add("driver", "driver", fault.Error(), "fix the profile, or choose another driver: `rig driver list`")
		}
		return
	}
	if _, err := drivers.NewSession(s.cfg, true); err != nil {
		s.add("driver-records", "driver", err.Error(), "fix or remove the file; until then no records are kept")
	}
}
