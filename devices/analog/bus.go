package analog

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Bus describes an I2C bus to people.
type Bus struct {
	Path, Name string
	Uses       []string // configured converters on it, such as "brake (ads1115 at 0x48)"
}

// Buses lists the I2C buses of the machine, with the converters of list that are on them.
func Buses(list ADCs) []Bus { return buses(os.DirFS("/sys/class/i2c-dev"), list) }

func buses(class fs.FS, list ADCs) []Bus {
	files, err := fs.Glob(class, "i2c-*/name")
	if err != nil {
		return nil // not possible: Glob fails only for a malformed pattern
	}
	found, indexOf := []Bus(nil), map[int]int{}
	for _, f := range files {
		name, err := fs.ReadFile(class, f)
		number, bad := strconv.Atoi(strings.TrimPrefix(filepath.Dir(f), "i2c-"))
		if err != nil || bad != nil {
			continue // it was unplugged in between
		}
		indexOf[number] = len(found)
		found = append(found, Bus{Path: "/dev/" + filepath.Dir(f), Name: strings.TrimSpace(string(name))})
	}
	for _, a := range list {
		a = a.withDefaults()
		if a.Chip == chipHX711 {
			continue
		}
		if n, err := findBus(class, a.Bus); err == nil {
			if i, ok := indexOf[n]; ok {
				found[i].Uses = append(found[i].Uses, fmt.Sprintf("%s (%s at 0x%02x)", a.Axis, a.Chip, a.Address))
			}
		}
	}
	return found
}
