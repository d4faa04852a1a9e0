package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"rig/sim"
)

// numbersOf lists the keys of a type that take a number, in texts with a place for one.
func numbersOf(t reflect.Type, before string) (list []string) {
	for _, key := range sortedKeys(t) {
		f, _ := field(t, key)
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
	huge := []string{"1e308", "-1e308", "nan", "inf", "-inf"}
	tried := 0
	for _, of := range []struct {
		name string
		keys []string
		load func(line string) error
	}{
		{"a car", numbersOf(reflect.TypeFor[carFile](), ""), func(line string) error {
			f := carFile{Params: sim.DefaultCar()}
			return Decode("car.toml", []byte(line), &f)
		}},
		{"a configuration", numbersOf(reflect.TypeFor[Config](), ""), func(line string) error {
			c := Default()
			return Decode("rig.toml", []byte(line), &c)
		}},
		{"a circuit", numbersOf(reflect.TypeFor[Circuit](), ""), func(line string) error {
			return Decode("circuit.toml", []byte(line), &Circuit{})
		}},
	} {
		for _, key := range of.keys {
			for _, v := range huge {
				tried++
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
