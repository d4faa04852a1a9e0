//go:build noserver

package server

import (
	"strings"
	"testing"
)

func TestAProgramWithoutTheServerSaysSo(t *testing.T) {
	if _, err := Start(Options{}); err == nil || !strings.Contains(err.Error(), "name other servers with --url") {
		t.Error(err)
	}
}
