// Prints where this module believes to be.
console.log(JSON.stringify([import.meta.dirname, import.meta.filename, import.meta.url]))
