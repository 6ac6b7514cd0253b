export const cadenceEmailKind = 'cadence'
