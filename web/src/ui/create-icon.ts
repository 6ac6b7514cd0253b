import { createElement, type SVGProps } from 'react'

type IconData = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] }
type IconProps = SVGProps<SVGSVGElement> & { size?: number }

/** Replaces `createLucideIcon` in the build. An icon without a label is hidden from screen readers. */
export const createIcon =
  ({ node }: IconData) =>
  ({ size = 24, ...props }: IconProps) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': !props['aria-label'],
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
