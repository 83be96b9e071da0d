import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent: a calm petrol blue. Every other colour on screen means something. */
const accent: MantineColorsTuple = [
  '#e8f5f9',
  '#d6e9ef',
  '#aed3df',
  '#83bccf',
  '#5fa9c1',
  '#4199b5',
  '#2484a2',
  '#17718e',
  '#0d617c',
  '#00526b',
];

/** Mantine's text-to-background ramp for dark, cooler and a little deeper than its own. */
const dark: MantineColorsTuple = [
  '#d3d9de',
  '#aeb7be',
  '#8c969f',
  '#66717b',
  '#3a434b',
  '#2c343b',
  '#22292f',
  '#191f24',
  '#13181c',
  '#0d1114',
];

/** Dense and quiet: 13 px text, 4 px corners, no shadows that do not lift something. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, dark },
  fontFamily:
    '"Inter Variable", Inter, "Segoe UI Variable Text", "Segoe UI", system-ui, -apple-system, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.1875rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.45', xl: '1.4' },
  spacing: { xs: '0.375rem', sm: '0.625rem', md: '0.875rem', lg: '1.25rem', xl: '1.75rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.1875rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    Button: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 120 } } },
    Menu: { defaultProps: { transitionProps: { duration: 80 }, withinPortal: true } },
    // The page itself never scrolls; locking it would only add a style element that the security policy refuses.
    Modal: { defaultProps: { lockScroll: false, centered: true, transitionProps: { duration: 100 } } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    Popover: { defaultProps: { transitionProps: { duration: 80 } } },
    Radio: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Table: { defaultProps: { verticalSpacing: 5, horizontalSpacing: 10, fz: 'sm' } },
    Text: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 350,
        fz: 'xs',
        events: { hover: true, focus: true, touch: false },
      },
    },
  },
});
