package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"rig.example/rig/display/model"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// numbersOf lists the keys of a type that take a number, in texts with a place for one.
func numbersOf(t reflect.Type, before string) (list []string) {
	for _, key := range sortedKeys(t) {
		f, _ := lookUpKey(t, key)
		name := before + key
		switch f.Kind() {
		case reflect.Struct:
			list = append(list, numbersOf(f.Type, name+".")...)
		case reflect.Float64:
			list = append(list, name+" = %s")
		case reflect.Slice:
			if f.Elem().Kind() == reflect.Float64 {
				list = append(list, name+" = [%s, 1, 1]")
			}
			if f.Elem().Kind() == reflect.Struct {
				for _, inner := range numbersOf(f.Elem(), "") {
					list = append(list, name+" = [{"+inner+"}]")
				}
			}
		case reflect.Array:
			if f.Elem().Kind() == reflect.Float64 {
				list = append(list, name+" = [%s]")
			}
		}
	}
	return list
}

// No number of a file or of --set may be one with which physics cannot calculate.
func TestEveryNumberIsBounded(t *testing.T) {
	level.SkipIfQuick(t)
	huge := []string{"1e308", "-1e308", "nan", "inf", "-inf"}
	tried := 0
	for _, of := range []struct {
		name string
		keys []string
		load func(line string) error
	}{
		{"a car", numbersOf(reflect.TypeFor[carFile](), ""), func(line string) error {
			f := carFile{Params: sim.DefaultCar(), Model: model.DefaultConfig()}
			return Decode("car.toml", []byte(line), &f)
		}},
		{"a configuration", numbersOf(wholeType(), ""), func(line string) error {
			c := Default(AllSections...)
			return Decode("rig.toml", []byte(line), &c)
		}},
		{"a circuit", numbersOf(reflect.TypeFor[Circuit](), ""), func(line string) error {
			return Decode("circuit.toml", []byte(line), &Circuit{})
		}},
	} {
		for _, key := range of.keys {
			for i, v := range huge {
				tried++
				if i >= 2 && i != 2+(tried-1)/len(huge)%3 && !level.All() {
					continue // both ends, and one of NaN and Inf
				}
				line := fmt.Sprintf(strings.ReplaceAll(key, "%s", "%[1]s"), v)
				if err := of.load(line); err == nil {
					t.Errorf("%s takes %s", of.name, line)
				}
			}
		}
	}
	if tried < 3000 {
		t.Errorf("only %d numbers were tried", tried)
	}
	for _, v := range huge {
		_, err := LoadCar("coupe", "front.spring_rate_n_per_m="+v)
		if err == nil || !strings.HasPrefix(err.Error(), `--set "front.spring_rate_n_per_m=`+v+`": `) {
			t.Errorf("--set: %v", err)
		}
	}
}

// Integers are not floats: those of 64 bits are taken as they are, and faults come from the
// decoder or from the key's own range.
func TestLargeIntegersAreLeftToTheirKeys(t *testing.T) {
	const seed = 9007199254740993 // no float64
	car := carFile{Params: sim.DefaultCar(), Model: model.DefaultConfig()}
	if err := Decode("c.toml", fmt.Appendf(nil, "[air]\ngust_seed = %d\n", seed), &car); err != nil || car.Air.GustSeed != seed {
		t.Errorf("a seed of %d, %v", car.Air.GustSeed, err)
	}
	for _, tt := range []struct{ line, want string }{
		{"seed = 9007199254740993", ""},
		{"seed = 9223372036854775808", "c.toml:3:8: ground.seed: decimal number is too large"},
		{"scale = 9007199254740993", "c.toml:3:1: ground.scale = 9.007199254740992e+15: must be 1e-06 to 1000000"},
	} {
		c := Circuit{Ground: DefaultGround()}
		err := Decode("c.toml", []byte("[ground]\nfile = \"a.crg\"\n"+tt.line+"\n"), &c)
		if tt.want == "" && (err != nil || c.Ground.Seed != seed) || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("%s: a seed of %d, %v", tt.line, c.Ground.Seed, err)
		}
	}
}
