import styles from './avatar.module.css'

const hueCount = 6

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase()
}

const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % hueCount

/** The initials of a person, or the first letter of a company. The name stands next to it. */
export function Avatar({
  name,
  size = 'small',
  isCompany = false,
}: {
  name: string
  size?: 'tiny' | 'small' | 'medium' | 'card' | 'large'
  isCompany?: boolean
}) {
  const text = isCompany ? initialsOf(name).slice(0, 1) : initialsOf(name)
  return (
    <span
      className={`${styles.avatar} ${styles[size]} ${isCompany ? styles.company : ''} ${styles[`hue${hueOf(name)}`]}`}
      aria-hidden="true"
      data-initials={text}
    />
  )
}
