package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestArchiveIsNewcByteForByte(t *testing.T) {
	var b bytes.Buffer
	a := newArchive(&b)
	a.file("/d/hi", 0o644, []byte("hello"))
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	zero := strings.Repeat("00000000", 4)
	want := "070701" + "00000001" + "000041ED" + "00000000" + "00000000" + "00000001" + "00000000" + "00000000" + zero + "00000002" + "00000000" + "d\x00" +
		"070701" + "00000002" + "000081A4" + "00000000" + "00000000" + "00000001" + "00000000" + "00000005" + zero + "00000005" + "00000000" + "d/hi\x00" + "\x00" + "hello" + "\x00\x00\x00" +
		"070701" + "00000003" + "00000000" + "00000000" + "00000000" + "00000001" + "00000000" + "00000000" + zero + "0000000B" + "00000000" + "TRAILER!!!\x00" + "\x00\x00\x00"
	if got := b.String(); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// full is a writer that always fails, like a full disk.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestArchiveReturnsTheFirstError(t *testing.T) {
	a := newArchive(full{})
	a.file("x", 0o644, nil)
	if err := a.close(); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}
