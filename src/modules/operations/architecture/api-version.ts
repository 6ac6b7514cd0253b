export const service = 'tributary'
export const apiVersion = '1.0.0'
