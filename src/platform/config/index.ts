export { type Config, type Environment, isProduction, readConfig, readSearchPath } from './config.ts'
export { settings } from './settings.ts'
