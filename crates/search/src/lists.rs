//! Lists of working memory, described once: lent slices, and what owns them.

/// Defines three structs with the same lists: one that borrows them as slices, one that owns
/// vectors, and one that owns arrays of `N` records.
///
/// Every list has a type and a value to fill it with; contents do not matter to a search. After `;`
/// follow structs of the same kind that are part of this one.
#[doc(hidden)]
#[macro_export]
macro_rules! lists {
    (
        $(#[$meta:meta])*
        $vis:vis $view:ident, $vectors:ident, $arrays:ident:
        $( $(#[$list_meta:meta])* $list:ident: [$record:ty] = $empty:expr, )*
        $( ; $( $(#[$part_meta:meta])* $part:ident: $part_view:ident, $part_vectors:ident, $part_arrays:ident, )* )?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        #[allow(private_interfaces)]
        $vis struct $view<'a> {
            $( $(#[$list_meta])* $vis $list: &'a mut [$record], )*
            $($( $(#[$part_meta])* $vis $part: $part_view<'a>, )*)?
        }

        impl $view<'_> {
            /// Lends the lists on.
            #[allow(dead_code)]
            $vis fn lend(&mut self) -> $view<'_> {
                $view {
                    $( $list: &mut *self.$list, )*
                    $($( $part: self.$part.lend(), )*)?
                }
            }
        }

        #[cfg(feature = "alloc")]
        #[derive(Clone, Debug, Default)]
        pub(crate) struct $vectors {
            $( pub(crate) $list: alloc::vec::Vec<$record>, )*
            $($( pub(crate) $part: $part_vectors, )*)?
        }

        #[cfg(feature = "alloc")]
        impl $vectors {
            pub(crate) const NEW: Self = $vectors {
                $( $list: alloc::vec::Vec::new(), )*
                $($( $part: $part_vectors::NEW, )*)?
            };

            /// Bytes of all lists.
            pub(crate) fn bytes(&self) -> usize {
                let mut sum = 0;
                $( sum += self.$list.capacity() * size_of::<$record>(); )*
                $($( sum += self.$part.bytes(); )*)?
                sum
            }

            pub(crate) fn lend(&mut self) -> $view<'_> {
                $view {
                    $( $list: &mut self.$list, )*
                    $($( $part: self.$part.lend(), )*)?
                }
            }
        }

        #[derive(Clone, Debug)]
        pub(crate) struct $arrays<const N: usize> {
            $( $list: [$record; N], )*
            $($( $part: $part_arrays<N>, )*)?
        }

        impl<const N: usize> $arrays<N> {
            pub(crate) const NEW: Self = $arrays {
                $( $list: [$empty; N], )*
                $($( $part: $part_arrays::NEW, )*)?
            };

            pub(crate) fn lend(&mut self) -> $view<'_> {
                $view {
                    $( $list: &mut self.$list, )*
                    $($( $part: self.$part.lend(), )*)?
                }
            }
        }
    };
}

pub(crate) use lists;

/// Makes a list at least so long. Its contents stay.
#[cfg(feature = "alloc")]
pub fn extend<T: Clone + Default>(list: &mut alloc::vec::Vec<T>, len: usize) {
    if list.len() < len {
        list.resize(len, T::default());
    }
}
