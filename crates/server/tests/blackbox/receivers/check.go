// Prints for each case whether the recipe accepts the webhook as genuine.
package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Secret  string
		Headers map[string]string
		Body    []byte
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	genuine := []bool{}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		genuine = append(genuine, Verify(one.Secret, header, one.Body))
	}
	json.NewEncoder(os.Stdout).Encode(genuine)
}
