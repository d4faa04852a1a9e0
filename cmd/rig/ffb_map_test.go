package main

import (
	"strings"
	"testing"
)

func TestFFBMapRefusesWhatItCannotDo(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a picture without a format", []string{"ffb", "map", "--picture", "map.gif"}, "end the name with .svg or .png"},
		{"a car that is not there", []string{"ffb", "map", "--car", "nosuchcar"}, "nosuchcar"},
		{"a file that is not there", []string{"ffb", "map", "--config", "/nosuch.toml"}, "nosuch.toml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs strings.Builder
			if code := realMain(tt.args, strings.NewReader(""), &out, &errs); code == exitDone || !strings.Contains(errs.String(), tt.want) {
				t.Errorf("status %d, %q", code, errs.String())
			}
		})
	}
}
