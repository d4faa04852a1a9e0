package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// Monitor is a connected monitor.
type Monitor struct {
	Name          string  // of its connector, such as DP-1
	Width, Height float64 // visible [m]; 0 if the monitor does not tell
}

// monitors returns the monitors whose connectors the kernel lists in folder, /sys/class/drm. It asks no window
// system: this process never calls cgo code, because a drive may follow in it.
func monitors(folder string) (list []Monitor) {
	connectors, err := filepath.Glob(filepath.Join(folder, "card*-*"))
	if err != nil {
		return nil
	}
	for _, path := range connectors {
		status, err := os.ReadFile(filepath.Join(path, "status"))
		if err != nil || string(bytes.TrimSpace(status)) != "connected" {
			continue
		}
		_, name, _ := strings.Cut(filepath.Base(path), "-")
		edid, _ := os.ReadFile(filepath.Join(path, "edid")) // empty for monitors of virtual machines
		w, h := sizeByEDID(edid)
		list = append(list, Monitor{name, w, h})
	}
	return list
}

// sizeByEDID returns the size of the picture [m] by a monitor's description: the millimeters of its first detailed
// timing (VESA E-EDID A.2, section 3.10.2), or else the centimeters of its basic parameters, or 0.
func sizeByEDID(edid []byte) (width, height float64) {
	const (
		length      = 128
		centimeters = 21 // horizontal, then vertical
		timing      = 54
	)
	if len(edid) < length || !bytes.HasPrefix(edid, []byte{0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0}) {
		return 0, 0
	}
	t := edid[timing:]
	if clock := int(t[0]) | int(t[1])<<8; clock > 0 {
		w, h := int(t[12])|int(t[14]>>4)<<8, int(t[13])|int(t[14]&15)<<8
		if w > 0 && h > 0 {
			return float64(w) / 1000, float64(h) / 1000
		}
	}
	if w, h := edid[centimeters], edid[centimeters+1]; w > 0 && h > 0 {
		return float64(w) / 100, float64(h) / 100
	}
	return 0, 0
}
