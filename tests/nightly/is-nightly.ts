/** Full versions run in `npm run nightly`; a test that needs this is not registered in `npm test`. */
export const isNightly = process.env.NIGHTLY === 'true'
