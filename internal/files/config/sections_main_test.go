package config_test

import (
	"os"
	"testing"

	"rig.example/rig/internal/connect/sections"
	"rig.example/rig/internal/files/config"
)

// The features' sections import this package, so its own tests get them here.
func TestMain(m *testing.M) {
	config.AllSections = sections.All()
	os.Exit(m.Run())
}
