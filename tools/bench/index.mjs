// npm run bench
console.log('No benchmarks yet.')
