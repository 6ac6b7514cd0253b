export { type Config, type Environment, isProduction, readConfig } from './config.ts'
export { settings } from './settings.ts'
