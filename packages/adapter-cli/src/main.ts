import packageJson from '../package.json' with { type: 'json' }

console.log(packageJson.version)
