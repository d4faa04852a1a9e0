package wire

import (
	"fmt"

	"rig.example/rig/internal/kit/valid"
)

// InRange is valid.InRange for a key of the table motion.
func InRange(key string, v, low, high float64) error {
	if err := valid.InRange(key, v, low, high); err != nil {
		return fmt.Errorf("motion: %w", err)
	}
	return nil
}
