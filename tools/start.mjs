// npm start
console.log('Nothing to start yet.')
