/* The empty template: including every dtype with it defines the dtypes' types and functions, and nothing else. */
