export const cadenceEmailKind = 'cadence'

/** Reason of emails that waited until the window closed or the day of their place ended. Their runs are planned again. */
export const notSentInTime = 'not_sent_in_time'

/** Reason of emails that waited while the address of the person changed. Their runs are planned again. */
export const addressChanged = 'address_changed'
